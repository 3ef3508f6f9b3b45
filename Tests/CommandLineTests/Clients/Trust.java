import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.*;

/** Trust managers of the clients in Java. */
class Trust {
    /** The one that Java makes of its own trust store. */
    static X509TrustManager ordinary() throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    /** Sockets that ask a trust manager. */
    static SSLSocketFactory in(X509TrustManager manager) throws GeneralSecurityException {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {manager}, null);
        return context.getSocketFactory();
    }

    /** The SHA-256 of a key in base64. */
    static String digest(PublicKey key) {
        try {
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("every Java has SHA-256", error);
        }
    }

    /** Takes whatever it is shown. */
    static class InAnything implements X509TrustManager {
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
    }
}
