package dev.sequitur.node.signer;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** A small signer in Web3signer's interface, which hashes what it signs. */
public final class ScriptedSigner implements AutoCloseable {
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final FileKeys keys;
  private final boolean isOverTls;
  private final List<String> names = new CopyOnWriteArrayList<>();
  private final List<HttpExchange> held = Collections.synchronizedList(new ArrayList<>());
  private final List<Bytes> messages = new CopyOnWriteArrayList<>();
  private volatile boolean silent;
  private volatile int status = 200;
  private volatile UnaryOperator<Bytes> change = UnaryOperator.identity();

  /**
   * @param directory where its keys lie
   * @param tls of a signer that wants certificates to be shown
   */
  public ScriptedSigner(Path directory, Optional<SSLContext> tls) throws IOException {
    keys = FileKeys.open(directory);
    isOverTls = tls.isPresent();
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    if (tls.isPresent()) {
      var over = HttpsServer.create(address, 0);
      over.setHttpsConfigurator(
          new HttpsConfigurator(tls.get()) {
            @Override
            public void configure(HttpsParameters parameters) {
              var wanted = getSSLContext().getDefaultSSLParameters();
              wanted.setNeedClientAuth(true);
              parameters.setSSLParameters(wanted);
            }
          });
      server = over;
    } else {
      server = HttpServer.create(address, 0);
    }
    server.createContext("/api/v1/eth1/sign/", this::sign);
    server.createContext("/api/v1/eth1/publicKeys", this::list);
    server.start();
  }

  public URI address() {
    return URI.create(
        "%s://localhost:%d".formatted(isOverTls ? "https" : "http", server.getAddress().getPort()));
  }

  /** A key of this signer, from now on. */
  public Verifier key(String name) {
    names.add(name);
    return keys.verifier(name);
  }

  /** Which key that would be. */
  Verifier unknown(String name) {
    return keys.verifier(name);
  }

  /** What it has signed. */
  public List<Bytes> messages() {
    return messages;
  }

  /** Whether it takes calls and answers none. */
  void setSilent(boolean whether) {
    silent = whether;
  }

  void setStatus(int code) {
    status = code;
  }

  /** What it makes of its signatures. */
  void setChange(UnaryOperator<Bytes> of) {
    change = of;
  }

  private void sign(HttpExchange exchange) throws IOException {
    var body = JSON.readTree(exchange.getRequestBody().readAllBytes());
    var path = exchange.getRequestURI().getPath();
    var wanted = path.substring(path.lastIndexOf('/') + 1);
    var name = names.stream().filter(each -> coordinates(each).equals(wanted)).findFirst();
    if (silent) {
      held.add(exchange);
    } else if (name.isEmpty()) {
      answer(exchange, 404, "");
    } else {
      var message = Bytes.hex(body.get("data").textValue());
      messages.add(message);
      var signature = keys.sign(name.get(), Digests.keccak256(message));
      answer(exchange, status, change.apply(signature).toHex());
    }
  }

  private void list(HttpExchange exchange) throws IOException {
    if (silent) {
      held.add(exchange);
      return;
    }
    var all = JSON.createArrayNode();
    names.forEach(name -> all.add(coordinates(name)));
    answer(exchange, status, all.toString());
  }

  private String coordinates(String name) {
    return SIGNATURES.coordinates(keys.verifier(name)).toHex();
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    held.forEach(HttpExchange::close);
  }
}
