import java.io.ByteArrayInputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.CertificatePinner;
import okhttp3.HttpUrl;
import okhttp3.internal.tls.CertificateChainCleaner;
import okhttp3.internal.tls.OkHostnameVerifier;

/** Answers questions about OkHttp 3.13: one line of Base64 fields each, one line "= answer" back. */
class OkHttpOracle {
    public static void main(String[] none) throws Exception {
        var lines = new Scanner(System.in, StandardCharsets.UTF_8);
        while (lines.hasNextLine()) {
            // The last fields may be empty.
            var fields = lines.nextLine().split("\t", -1);
            var bytes = new byte[fields.length][];
            for (int i = 0; i < fields.length; i++) bytes[i] = Base64.getDecoder().decode(fields[i]);
            System.out.println("= " + answer(bytes));
        }
    }

    private static String answer(byte[][] fields) throws Exception {
        switch (text(fields[0])) {
            case "matches": return matches(text(fields[1]), text(fields[2]));
            case "host": return String.valueOf(HttpUrl.parse("https://" + text(fields[1]) + "/").host());
            case "pin": return pin(text(fields[1]), certificates(fields[2]));
            case "verify": return verify(text(fields[1]), certificates(fields[2])) ? "yes" : "no";
            case "chain":
                return chain(text(fields[1]), text(fields[2]), text(fields[3]).split("\n"), fields[4], fields[5]);
            default: throw new IllegalArgumentException(text(fields[0]));
        }
    }

    private static String text(byte[] bytes) { return new String(bytes, StandardCharsets.UTF_8); }

    private static final String ANY_PIN = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    /** Whether a pattern is for a host. */
    private static String matches(String pattern, String host) throws Exception {
        CertificatePinner pinner;
        try {
            pinner = new CertificatePinner.Builder().add(pattern, ANY_PIN).build();
        } catch (IllegalArgumentException | NullPointerException thrown) {
            return "throws";
        }
        return pins(pinner, host).isEmpty() ? "no" : "yes";
    }

    private static List<?> pins(CertificatePinner pinner, String host) throws Exception {
        return (List<?>) open(CertificatePinner.class, "findMatchingPins", String.class).invoke(pinner, host);
    }

    private static Method open(Class<?> type, String name, Class<?>... parameters) throws Exception {
        var method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }

    /** Whether a pin matches a certificate. */
    private static String pin(String pin, List<X509Certificate> certificates) throws Exception {
        CertificatePinner pinner;
        try {
            pinner = new CertificatePinner.Builder().add("api.oracle.test", pin).build();
        } catch (IllegalArgumentException | NullPointerException thrown) {
            return "throws";
        }
        return passes(pinner, "api.oracle.test", certificates) ? "yes" : "no";
    }

    private static boolean passes(CertificatePinner pinner, String host, List<X509Certificate> certificates) {
        try {
            pinner.check(host, List.<Certificate>copyOf(certificates));
            return true;
        } catch (SSLPeerUnverifiedException thrown) {
            return false;
        }
    }

    private static boolean verify(String host, List<X509Certificate> certificates) {
        return OkHostnameVerifier.INSTANCE.verify(host, certificates.get(0));
    }

    /**
     * What a connection comes to: "chain", "host", "unpinned", "clean", "pin" for what it fails at or "accepts"; and
     * the SHA-256 of each certificate that the cleaner returns, whatever came before.
     */
    private static String chain(String host, String pattern, String[] pins, byte[] roots, byte[] sent)
        throws Exception {
        var manager = trustIn(certificates(roots));
        var certificates = certificates(sent);
        var cleaner = CertificateChainCleaner.get(manager);
        List<X509Certificate> cleaned;
        try {
            cleaned = cleaner.clean(List.<Certificate>copyOf(certificates), host).stream()
                .map(each -> (X509Certificate) each).collect(Collectors.toList());
        } catch (SSLPeerUnverifiedException thrown) {
            cleaned = null;
        }
        var pinner = new CertificatePinner.Builder().add(pattern, pins).build();
        return outcome(host, manager, certificates, cleaned, pinner) + " " + digests(cleaned);
    }

    private static String outcome(
        String host, X509TrustManager manager, List<X509Certificate> sent, List<X509Certificate> cleaned,
        CertificatePinner pinner) throws Exception {
        try {
            manager.checkServerTrusted(sent.toArray(new X509Certificate[0]), "ECDHE_ECDSA");
        } catch (CertificateException thrown) {
            return "chain";
        }
        if (!verify(host, sent)) return "host";
        if (pins(pinner, host).isEmpty()) return "unpinned";
        if (cleaned == null) return "clean";
        return passes(pinner, host, cleaned) ? "accepts" : "pin";
    }

    private static String digests(List<X509Certificate> certificates) throws GeneralSecurityException {
        if (certificates == null) return "none";
        var digests = new ArrayList<String>();
        for (var each : certificates) {
            var digest = MessageDigest.getInstance("SHA-256").digest(each.getEncoded());
            digests.add(HexFormat.of().formatHex(digest));
        }
        return String.join(",", digests);
    }

    private static X509TrustManager trustIn(List<X509Certificate> roots) throws Exception {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < roots.size(); i++) store.setCertificateEntry("root " + i, roots.get(i));
        var factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    /** The certificates of PEM text. */
    private static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
        var factory = CertificateFactory.getInstance("X.509");
        return factory.generateCertificates(new ByteArrayInputStream(pem)).stream()
            .map(each -> (X509Certificate) each).collect(Collectors.toList());
    }
}
