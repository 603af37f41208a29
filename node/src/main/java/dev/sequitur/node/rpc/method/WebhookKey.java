package dev.sequitur.node.rpc.method;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * With what a node signs what it sends to a webhook, as Standard Webhooks has it. A secret: it is
 * told once, to whoever has it made.
 *
 * @param written {@code whsec_} and 32 bytes in base 64
 */
public record WebhookKey(String written) {
  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";

  /**
   * @param secret 32 bytes
   */
  public static WebhookKey of(byte[] secret) {
    return new WebhookKey(PREFIX + Base64.getEncoder().encodeToString(secret));
  }

  /** Whether a text is such a key, so that it is written nowhere. */
  public static boolean isOne(String text) {
    return text.startsWith(PREFIX);
  }

  /** Over the id, the time in seconds and the body: {@code v1,} and the code in base 64. */
  public String signature(String id, long timestamp, byte[] body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      var secret = Base64.getDecoder().decode(written.substring(PREFIX.length()));
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
    }
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "WebhookKey";
  }
}
