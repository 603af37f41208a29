package dev.sequitur.node.guard;

import com.nimbusds.jose.jwk.JWKSet;
import dev.sequitur.node.guard.GuardSettings.JwtSettings;
import dev.sequitur.node.guard.GuardSettings.JwtSettings.Keys;
import dev.sequitur.protocol.port.Answers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an issuer as they were last read. They are read beside the calls, which never
 * wait for it: when they are old, and when a token is signed by none of them, since issuers change
 * their keys. Thread-safe.
 */
final class JwtKeys {
  private static final Logger LOG = LoggerFactory.getLogger(JwtKeys.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** A token with a key that nobody knows must not let anybody hammer the issuer. */
  private static final Duration SOONEST = Duration.ofSeconds(10);

  private static final int MOST_BYTES = 1 << 20;

  private final JwtSettings settings;
  private final LongSupplier nanoTime;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile Optional<Known> known = Optional.empty();
  private volatile long lastTry;
  private volatile String lastProblem = "";

  private record Known(JWKSet keys, long at) {}

  JwtKeys(JwtSettings settings, LongSupplier nanoTime) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.lastTry = nanoTime.getAsLong() - SOONEST.toNanos();
    refresh();
  }

  /** Those that may be used now; empty if none were read, or too long ago. */
  Optional<JWKSet> current() {
    var now = known;
    if (now.isEmpty() || isOlder(now.get(), settings.refreshEvery())) {
      refresh();
    }
    return now.filter(keys -> !isOlder(keys, settings.usableFor())).map(Known::keys);
  }

  private boolean isOlder(Known keys, Duration age) {
    return nanoTime.getAsLong() - keys.at() > age.toNanos();
  }

  /** Has them read again, unless that was tried a moment ago. */
  void refresh() {
    long now = nanoTime.getAsLong();
    if (now - lastTry < SOONEST.toNanos() || !reading.compareAndSet(false, true)) {
      return;
    }
    lastTry = now;
    switch (settings.keys()) {
      case Keys.InFile(var path) -> {
        read(path);
        reading.set(false);
      }
      case Keys.At(var address) -> fetch(address);
    }
  }

  private void fetch(URI address) {
    var request =
        HttpRequest.newBuilder(address)
            .timeout(TIMEOUT)
            .header("accept", "application/json")
            .build();
    var body = new Body();
    var client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    client
        .sendAsync(request, BodyHandlers.ofByteArrayConsumer(body))
        .orTimeout(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                tell("they cannot be had from " + address + ": " + reason(failure));
              } else if (answer.statusCode() != 200) {
                tell(address + " answers with HTTP " + answer.statusCode());
              } else {
                take(body.text());
              }
              reading.set(false);
              // Else an answer that never ends would go on beside the next one.
              client.shutdownNow();
            });
  }

  private static String reason(Throwable failure) {
    var cause = Answers.cause(failure);
    if (cause instanceof ConnectException && cause.getMessage() == null) {
      return "nobody listens there";
    } else if (cause instanceof TimeoutException) {
      return "the answer took too long";
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  /** What an issuer answers, up to a limit. Filled by one thread after another. */
  private static final class Body implements Consumer<Optional<byte[]>> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public synchronized void accept(Optional<byte[]> chunk) {
      if (chunk.isPresent()) {
        if (bytes.size() + chunk.get().length > MOST_BYTES) {
          throw new IllegalStateException("it is too large to be a JSON Web Key Set");
        }
        bytes.writeBytes(chunk.get());
      }
    }

    private synchronized String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  private void read(Path path) {
    try {
      if (Files.size(path) > MOST_BYTES) {
        tell(path + " is too large to be a JSON Web Key Set");
        return;
      }
      take(Files.readString(path));
    } catch (IOException e) {
      tell(path + " cannot be read");
    }
  }

  private void take(String text) {
    try {
      known = Optional.of(new Known(JWKSet.parse(text), nanoTime.getAsLong()));
      if (!lastProblem.isEmpty()) {
        lastProblem = "";
        LOG.info("The keys of the issuer {} are new again.", settings.issuer());
      }
    } catch (ParseException e) {
      tell("what was read is no JSON Web Key Set");
    }
  }

  private void tell(String problem) {
    if (!problem.equals(lastProblem)) {
      lastProblem = problem;
      LOG.warn(
          "The keys of the issuer {} are not new: {}. Look at callers.jwt.keys.",
          settings.issuer(),
          problem);
    }
  }
}
