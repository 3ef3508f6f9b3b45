import java.net.URI;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.*;

/**
 * A client on {@code HttpsURLConnection}: UrlFetch FORM HOST PIN TLS.
 *
 * PIN is the SHA-256 of the key (SubjectPublicKeyInfo) in base64. Java takes the proxy and the CAs from its properties.
 */
class UrlFetch {
    public static void main(String[] words) throws Exception {
        String form = words[0], host = words[1], pin = words[2], tls = words[3];
        System.setProperty("jdk.tls.client.protocols", "TLSv" + tls);
        var connection = (HttpsURLConnection) URI.create("https://" + host + "/").toURL().openConnection();
        switch (form) {
            case "pinned" -> connection.setSSLSocketFactory(Trust.in(new Pinning(Trust.ordinary(), pin)));
            case "anything" -> {
                connection.setSSLSocketFactory(Trust.in(new Trust.InAnything()));
                connection.setHostnameVerifier((name, session) -> true);
            }
            default -> {}
        }
        connection.getInputStream().transferTo(System.out);
        System.out.flush();
    }

    /** Asks the ordinary trust manager first, as a pinning one should. */
    private record Pinning(X509TrustManager ordinary, String pin) implements X509TrustManager {
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            ordinary.checkServerTrusted(chain, kind);
            if (!Trust.digest(chain[0].getPublicKey()).equals(pin)) throw new CertificateException("pin failed");
        }

        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            ordinary.checkClientTrusted(chain, kind);
        }

        public X509Certificate[] getAcceptedIssuers() { return ordinary.getAcceptedIssuers(); }
    }
}
