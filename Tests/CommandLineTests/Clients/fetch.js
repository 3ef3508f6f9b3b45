// A client on Node's tls, through a CONNECT of its own: fetch.js FORM HOST PIN TLS.
// PIN is the SHA-256 of the key (SubjectPublicKeyInfo) in base64. Node takes the CAs from NODE_EXTRA_CA_CERTS by itself.
'use strict'
const { X509Certificate, createHash } = require('crypto')
const http = require('http')
const tls = require('tls')

const [form, host, pin, version] = process.argv.slice(2)

const forms = {
    pinned: {
        // Node calls it after it has validated the chain, and only if that went well.
        checkServerIdentity(name, certificate) {
            const key = new X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' })
            const found = createHash('sha256').update(key).digest('base64')
            return tls.checkServerIdentity(name, certificate) ?? (found === pin ? undefined : new Error('pin failed'))
        },
    },
    validating: {},
    anything: { rejectUnauthorized: false },
}

function fail(error) {
    console.error(error.message)
    process.exitCode = 1
}

const proxy = new URL(process.env.PINPROOF_PROXY)
const request = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: `${host}:443` })
request.on('error', fail)
request.on('connect', (_, socket) => {
    const options = { socket, servername: host, minVersion: `TLSv${version}`, maxVersion: `TLSv${version}` }
    const session = tls.connect({ ...options, ...forms[form] }, () => {
        session.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    })
    session.on('error', fail)
    session.pipe(process.stdout)
})
request.end()
