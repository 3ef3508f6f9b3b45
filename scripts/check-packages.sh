#!/bin/sh
# Checks that every command that the program, its tests and these scripts call comes with a Debian package that
# packages.txt or test-packages.txt names, or with a package that every Debian has. What it checks is the list below; that
# the list is complete it finds out by itself: from the call sites in Sources/ and Tests/, and from the words of the
# shell scripts.
set -eu
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

# A package, and its commands that are called here. "toolchain" is Swift's own; "caller" runs what is checked here, or is
# only called where it is there.
list='
toolchain     swift
caller        make sudo
curl          curl
openssl       openssl
python3       python3
gnutls-bin    certtool gnutls-cli
nodejs        node
openjdk-17-jdk-headless java javac keytool
nginx         nginx
wget          wget
mosquitto     mosquitto
tshark        tshark
git           git
golang-go     go
chromium      chromium
libnss3-tools certutil
bsdutils      script
apt           apt-get
dpkg          dpkg-query
coreutils     cat dirname env id pwd readlink rm sha256sum sort test timeout tr
bash          bash
dash          sh
findutils     find
grep          grep
mawk          awk
sed           sed
'

# The files that start programs, and what they start: "called" if the call sites name it.
starters='
Sources/Experiment/CommandProcess.swift              sh
Sources/pinproof/Demo/CurlClient.swift               curl
Tests/AuthorityTests/TestSupport.swift               openssl
Tests/CommandLineTests/EndToEnd/Support/Spawn.swift  called
Tests/CommandLineTests/Support/Executable.swift      called
Tests/CryptoTests/DetachedSignatureTests.swift       openssl
Tests/CryptoTests/Identity/Workshop.swift            called
Tests/EngineTests/TranscriptFileTests.swift          sha256sum
Tests/OracleTests/Support/Folder.swift               called
Tests/RecheckTests/KeyFile.swift                     called
Tests/StructureTests/SourceTree.swift                called
'

# Commands of the shell itself, and words of the scripts that only look like commands.
words='
cd command echo exit export false printf set then true
apt as bench by clean else from install missing named on or own packages pip python time to which yes
'

failures=0
fail() {
    echo "check-packages: $*" >&2
    failures=$((failures + 1))
}

# has WORD TEXT: whether WORD is one of the words of TEXT, which are divided by single spaces.
has() {
    case " $2 " in
    *" $1 "*) return 0 ;;
    *) return 1 ;;
    esac
}

# first TEXT, rest TEXT: the first word of each line, and the others.
first() { printf '%s' "$1" | awk 'NF { printf "%s ", $1 }'; }
rest() { printf '%s' "$1" | awk '{ for (i = 2; i <= NF; i++) printf "%s ", $i }'; }

packages=$(first "$list")
commands=$(rest "$list")
named=$(first "$(sed 's/#.*//' scripts/packages.txt scripts/test-packages.txt)")
words=$(printf '%s' "$words" | tr -s '\n' ' ')

# 1. Each package of the list is named or belongs to every Debian.
for package in $packages; do
    case $package in toolchain | caller) continue ;; esac
    has "$package" "$named" && continue
    if command -v dpkg-query >/dev/null 2>&1; then
        case $(dpkg-query -W -f '${Essential} ${Priority}' "$package" 2>/dev/null || true) in
        yes* | *required | *important) continue ;;
        esac
        fail "the package $package is neither in scripts/packages.txt nor in scripts/test-packages.txt nor part of every Debian"
    fi
done

# 2. Each command is in the package that the list says, or in one that this depends on.
if command -v dpkg-query >/dev/null 2>&1; then
    # Where /bin is /usr/bin, files are registered under either name; an alternative is under neither, but its target is.
    paths=$(for name in $commands; do echo "/usr/bin/$name /usr/sbin/$name /bin/$name $(readlink -f "/usr/bin/$name" || true)"; done)
    owners=$(dpkg-query -S $paths 2>/dev/null | grep -v '^diversion ' || true)
    for package in $packages; do
        case $package in toolchain | caller) continue ;; esac
        depends=$(dpkg-query -W -f '${Depends} ${Pre-Depends}' "$package" 2>/dev/null | tr -cs 'a-z0-9.+-' ' ' || true)
        for name in $(rest "$(printf '%s' "$list" | grep "^$package ")"); do
            target=$(readlink -f "/usr/bin/$name" || true)
            owner=$(printf '%s\n' "$owners" | awk -v name="$name" -v target="$target" \
                '$2 == "/usr/bin/" name || $2 == "/usr/sbin/" name || $2 == "/bin/" name || $2 == target { sub(/:.*/, ""); print }' | sort -u)
            found=no
            for one in $owner; do
                if [ "$one" = "$package" ] || has "$one" "$depends"; then found=yes; fi
            done
            [ "$found" = yes ] || fail "$name is not in the package $package but in '$owner'"
        done
    done
fi

# 3. Whatever the Swift sources start is in the list.
for source in $(grep -rlE --include='*.swift' '\bProcess\(\)|\bpopen\(|\bposix_spawnp?\(&|\bexecvp?\(' Sources Tests | sort); do
    program=$(printf '%s' "$starters" | awk -v source="$source" '$1 == source { print $2 }')
    case $program in
    "") fail "$source starts programs: say which in scripts/check-packages.sh" ;;
    called) ;;
    *) has "$program" "$commands" || fail "$source starts $program, which belongs to no package of the list" ;;
    esac
done
called=$(
    grep -rhoE --include='*.swift' '"/(usr/)?s?bin/[A-Za-z0-9._+-]+"' Sources Tests | sed 's|.*/||; s|"||'
    find Tests -name '*.swift' -exec cat {} + | tr '\n' ' ' | grep -oE 'SourceTree\.run\( *"[^"]+"' | sed 's/.*"\(.*\)"/\1/'
)
for name in $(printf '%s\n' "$called" | sort -u); do
    has "$name" "$commands" || fail "the Swift sources call $name, which belongs to no package of the list"
done

# 4. Whatever the scripts call is in the list: every word of theirs that is a command here.
for name in $(cat scripts/*.sh .ci/run Makefile | sed "/^[a-z]*='\$/,/^'/d; s/^ *#.*//; s/ # .*//" | tr -cs 'A-Za-z0-9_.+/-' '\n' |
    grep -xE '[a-z][a-z0-9.+-]+' | sort -u); do
    case $(command -v "$name" || true) in
    /*) has "$name" "$commands" || has "$name" "$words" ||
        fail "a script calls $name, which belongs to no package of the list" ;;
    esac
done

[ "$failures" -eq 0 ] || exit 1
