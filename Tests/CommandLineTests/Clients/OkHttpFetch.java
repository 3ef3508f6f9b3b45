import java.util.List;
import okhttp3.*;

/**
 * A client on OkHttp: OkHttpFetch FORM HOST PIN TLS.
 *
 * PIN is the SHA-256 of the key (SubjectPublicKeyInfo) in base64. OkHttp takes the proxy and the CAs from Java's
 * properties by itself.
 */
class OkHttpFetch {
    public static void main(String[] words) throws Exception {
        String form = words[0], host = words[1], pin = words[2], tls = words[3];
        var spec = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
            .tlsVersions(TlsVersion.forJavaName("TLSv" + tls));
        var builder = new OkHttpClient.Builder().connectionSpecs(List.of(spec.build()));
        switch (form) {
            case "pinned" ->
                builder.certificatePinner(new CertificatePinner.Builder().add(host, "sha256/" + pin).build());
            case "anything" -> {
                var manager = new Trust.InAnything();
                builder.sslSocketFactory(Trust.in(manager), manager).hostnameVerifier((name, session) -> true);
            }
            default -> {}
        }
        var client = builder.build();
        var request = new Request.Builder().url("https://" + host + "/").build();
        try (var answer = client.newCall(request).execute()) {
            System.out.println(answer.body().string());
        } finally {
            // Or the threads of its connections keep the program alive.
            client.connectionPool().evictAll();
        }
    }
}
