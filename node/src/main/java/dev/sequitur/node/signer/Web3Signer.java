package dev.sequitur.node.signer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sequitur.ethereum.BoundedBody;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.FileContexts;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.Answers;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Asks a signer over HTTP, in Web3signer's interface of version 1 for Ethereum's execution layer.
 * It hashes what it is given by Keccak-256 itself and answers r, s and v in hex. Thread-safe.
 */
final class Web3Signer implements AutoCloseable {
  /** More wait for no answer at once. */
  static final int MOST_AT_ONCE = 256;

  /** A list of so many thousand keys. */
  private static final int MOST_BYTES = 4 << 20;

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String PATH = "/api/v1/eth1/";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final HttpClient client;
  private final String address;
  private final Duration timeout;
  private final Semaphore room = new Semaphore(MOST_AT_ONCE);

  /** Why the signer did not do what it was asked for: a sentence. */
  static final class NotSigned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSigned(String sentence) {
      super(sentence);
    }
  }

  /**
   * Does not connect yet.
   *
   * @throws BadCertificate with a sentence that says what to do, if a certificate cannot be used
   */
  Web3Signer(SignerSettings settings) {
    var builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.timeout());
    settings
        .tls()
        .ifPresent(tls -> builder.sslContext(FileContexts.calling(tls.authority(), tls.own())));
    this.client = builder.build();
    this.address = withoutEnd(settings.address().toString());
    this.timeout = settings.timeout();
  }

  private static String withoutEnd(String address) {
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  /**
   * Has the Keccak-256 hash of a message signed.
   *
   * @param coordinates of the public key, 64 bytes
   * @return as it was answered, not checked; fails with {@link NotSigned}
   */
  CompletionStage<Bytes> sign(Bytes coordinates, Bytes message) {
    var body = JSON.createObjectNode().put("data", message.toHex()).toString();
    var request =
        HttpRequest.newBuilder(URI.create(address + PATH + "sign/" + coordinates.toHex()))
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body));
    return ask(request).thenApply(this::signature);
  }

  /**
   * @return which keys it has, as coordinates in lower-case hex; fails with {@link NotSigned}
   */
  CompletionStage<Set<String>> publicKeys() {
    return ask(HttpRequest.newBuilder(URI.create(address + PATH + "publicKeys")))
        .thenApply(this::keys);
  }

  private CompletableFuture<HttpResponse<byte[]>> ask(HttpRequest.Builder request) {
    if (!room.tryAcquire()) {
      return CompletableFuture.failedFuture(
          notSigned("is asked for " + MOST_AT_ONCE + " signatures already"));
    }
    return client
        .sendAsync(request.timeout(timeout).build(), answer -> new BoundedBody(MOST_BYTES))
        // Of the request it bounds the time until the answer begins.
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((answer, failure) -> room.release())
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(notSigned(reason(Answers.cause(failure)))));
  }

  private static String reason(Throwable failure) {
    if (failure instanceof HttpTimeoutException || failure instanceof TimeoutException) {
      return "does not answer in time";
    }
    if (failure instanceof ConnectException && failure.getMessage() == null) {
      return "cannot be reached: nobody listens there";
    }
    return "cannot be asked: "
        + (failure.getMessage() == null
            ? failure.getClass().getSimpleName()
            : failure.getMessage());
  }

  private NotSigned notSigned(String why) {
    return new NotSigned("The signer at " + address + " " + why + ".");
  }

  private Bytes signature(HttpResponse<byte[]> answer) {
    if (answer.statusCode() == NOT_FOUND) {
      throw notSigned("does not have the key");
    }
    var text = text(answer).strip();
    try {
      return Bytes.hex(text);
    } catch (IllegalArgumentException e) {
      throw notSigned("answers with something that is no signature");
    }
  }

  private Set<String> keys(HttpResponse<byte[]> answer) {
    try {
      JsonNode keys = JSON.readTree(text(answer));
      if (keys.isArray()) {
        return StreamSupport.stream(keys.spliterator(), false)
            .map(key -> key.asText().toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
      }
    } catch (JsonProcessingException e) {
      // Falls through: the sentence is the same.
    }
    throw notSigned("answers with something that is no list of keys");
  }

  private String text(HttpResponse<byte[]> answer) {
    if (answer.statusCode() != OK) {
      throw notSigned("answers with HTTP " + answer.statusCode());
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
