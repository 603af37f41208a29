package dev.sequitur.node.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sequitur.fixture.FreePorts;
import dev.sequitur.node.guard.GuardSettings.JwtSettings;
import dev.sequitur.node.guard.GuardSettings.JwtSettings.Keys;
import dev.sequitur.protocol.guard.Principal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class JwtCallersTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final String ISSUER = "https://login.example";

  private static ECKey first;
  private static ECKey second;

  @TempDir Path directory;

  private final AtomicLong nanos = new AtomicLong();
  private Path file;

  @BeforeAll
  static void keys() throws JOSEException {
    first = new ECKeyGenerator(Curve.P_256).keyID("first").generate();
    second = new ECKeyGenerator(Curve.P_256).keyID("second").generate();
  }

  @BeforeEach
  void publish() throws IOException {
    file = directory.resolve("keys.json");
    Files.writeString(file, set(first));
  }

  @Test
  void aTokenOfTheIssuerSaysWhoCallsAndItsRoles() {
    var who = callers().who(signed(first, claims().claim("roles", List.of("reader", "shop"))));

    assertThat(who)
        .isEqualTo(new Principal(Principal.Kind.JWT, "alice", List.of("reader", "shop")));
    assertThat(callers().who(signed(first, claims().claim("roles", "reader shop"))).roles())
        .containsExactly("reader", "shop");
    assertThat(callers().who(signed(first, claims())).roles()).isEmpty();
  }

  @Test
  void rolesMayStandWithinAnObject() {
    var nested =
        new JwtCallers(
            settings(new Keys.InFile(file), "realm_access.roles"),
            InstantSource.fixed(NOW),
            nanos::get);

    assertThat(
            nested
                .who(
                    signed(
                        first, claims().claim("realm_access", Map.of("roles", List.of("owner")))))
                .roles())
        .containsExactly("owner");
  }

  @Test
  void whatIsNotForThisNodeOrNotNowOrNotOfTheIssuerIsRefused() throws JOSEException {
    var callers = callers();
    refused(callers, signed(first, claims().audience("other")), "aud");
    refused(callers, signed(first, claims().issuer("https://elsewhere.example")), "iss");
    refused(callers, signed(first, claims().expirationTime(at(-3_600))), "Expired");
    refused(callers, signed(first, claims().notBeforeTime(at(3_600))), "before");
    refused(callers, signed(first, claims().expirationTime(null)), "exp");
    refused(callers, signed(first, claims().subject(null)), "claim sub");
    refused(callers, "not.a.token", "neither");
    refused(callers, new PlainJWT(claims().build()).serialize(), "neither");
    var forged = new ECKeyGenerator(Curve.P_256).keyID("first").generate();
    refused(callers, signed(forged, claims()), "not signed by the issuer");
    refused(callers, withSharedSecret(), "not signed by the issuer");
  }

  @Test
  void aChangedTokenIsRefused() {
    var parts = signed(first, claims()).split("\\.");
    var other = signed(first, claims().subject("mallory")).split("\\.");

    refused(callers(), parts[0] + "." + other[1] + "." + parts[2], "not signed by the issuer");
  }

  @Test
  void aNewKeyIsReadWhenATokenNamesItButNotAtEachToken() throws IOException {
    var callers = callers();
    var token = signed(second, claims());
    Files.writeString(file, set(first, second));
    refused(callers, token, "does not know the key");
    refused(callers, token, "does not know the key");
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());

    refused(callers, token, "does not know the key");
    assertThat(callers.who(token).name()).isEqualTo("alice");
  }

  @Test
  void aNewKeyIsReadWhenATokenNamesNone() throws Exception {
    var callers = callers();
    var unnamed = new ECKey.Builder(second).keyID(null).build();
    var token = signed(unnamed, claims());
    Files.writeString(file, set(first, unnamed));
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());

    refused(callers, token, "not signed by the issuer");
    assertThat(callers.who(token).name()).isEqualTo("alice");
  }

  @Test
  void anotherKeyUnderTheSameNameIsRead() throws Exception {
    var callers = callers();
    var renamed = new ECKey.Builder(second).keyID("first").build();
    var token = signed(renamed, claims());
    Files.writeString(file, set(renamed));
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());

    refused(callers, token, "not signed by the issuer");
    assertThat(callers.who(token).name()).isEqualTo("alice");
    refused(callers, signed(first, claims()), "not signed by the issuer");
  }

  @Test
  void whyKeysCannotBeFetchedIsALineAndThatTheyAreBackAnother() throws Exception {
    int port = FreePorts.inARow(1);
    var at = URI.create("http://127.0.0.1:" + port + "/keys");
    var log = (Logger) LoggerFactory.getLogger(JwtKeys.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.INFO);
    try {
      var callers =
          new JwtCallers(settings(new Keys.At(at), "roles"), InstantSource.fixed(NOW), nanos::get);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(texts(lines)).hasSize(1));
      assertThat(texts(lines).get(0)).contains("cannot be had from " + at + ": ");
      var server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext("/keys", exchange -> answer(exchange, set(first)));
      server.start();
      try {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .ignoreExceptions()
            .untilAsserted(
                () -> {
                  nanos.addAndGet(Duration.ofSeconds(10).toNanos());
                  assertThat(callers.who(signed(first, claims())).name()).isEqualTo("alice");
                });
      } finally {
        server.stop(0);
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThat(texts(lines)).last().asString().contains("are new again"));
    } finally {
      log.setLevel(null);
      log.detachAppender(lines);
    }
  }

  private static List<String> texts(ListAppender<ILoggingEvent> lines) {
    synchronized (lines) {
      return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
  }

  @Test
  void keysThatCannotBeReadAgainAreUsedForATimeAndNoLonger() throws IOException {
    var callers = callers();
    var token = signed(first, claims());
    Files.delete(file);
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(callers.who(token).name()).isEqualTo("alice");
    nanos.addAndGet(1);

    refused(callers, token, "has no keys of the issuer");
    assertThatThrownBy(() -> callers.who(token))
        .as("the node's own fault")
        .hasFieldOrPropertyWithValue("code", "SQ010906");
  }

  @Test
  void keysAreFetchedFromAnAddress() throws Exception {
    var published = new AtomicReference<>(set(first));
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/keys", exchange -> answer(exchange, published.get()));
    server.start();
    try {
      var at = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
      var callers =
          new JwtCallers(settings(new Keys.At(at), "roles"), InstantSource.fixed(NOW), nanos::get);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(
              () -> assertThat(callers.who(signed(first, claims())).name()).isEqualTo("alice"));

      published.set(set(second));
      nanos.addAndGet(Duration.ofMinutes(6).toNanos());
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(
              () -> assertThat(callers.who(signed(second, claims())).name()).isEqualTo("alice"));
      refused(callers, signed(first, claims()), "does not know the key");
    } finally {
      server.stop(0);
    }
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void refused(JwtCallers callers, String token, String why) {
    assertThatThrownBy(() -> callers.who(token))
        .hasMessageContaining(why)
        .hasMessageNotContaining(token);
  }

  private JwtCallers callers() {
    return new JwtCallers(
        settings(new Keys.InFile(file), "roles"), InstantSource.fixed(NOW), nanos::get);
  }

  private static JwtSettings settings(Keys keys, String rolesClaim) {
    return new JwtSettings(
        ISSUER, "node1", keys, "sub", rolesClaim, Duration.ofMinutes(5), Duration.ofHours(1));
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("node1")
        .subject("alice")
        .expirationTime(at(600));
  }

  private static Date at(long seconds) {
    return Date.from(NOW.plusSeconds(seconds));
  }

  private static String signed(ECKey key, JWTClaimsSet.Builder claims) {
    var header =
        new JWSHeader.Builder(JWSAlgorithm.ES256)
            .keyID(key.getKeyID())
            .type(JOSEObjectType.JWT)
            .build();
    var token = new SignedJWT(header, claims.build());
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return token.serialize();
  }

  private static String withSharedSecret() throws JOSEException {
    var header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build();
    var token = new SignedJWT(header, claims().build());
    token.sign(new MACSigner(new byte[32]));
    return token.serialize();
  }

  private static String set(ECKey... keys) {
    return new JWKSet(List.<JWK>of(keys)).toPublicJWKSet().toString();
  }
}
