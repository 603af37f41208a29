package dev.sequitur.node.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named.Kind;
import dev.sequitur.protocol.guard.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** An endpoint that asks who calls, with a token for each of its roles. */
final class GuardedCallers implements AutoCloseable {
  final RunningRpc rpc;
  final TokenFile file;
  private final Map<String, String> tokens = new HashMap<>();

  /** Each role is the caller's of the same name. */
  GuardedCallers(Path directory, Map<String, Role> roles) {
    this(directory, roles, settings -> settings);
  }

  GuardedCallers(Path directory, Map<String, Role> roles, UnaryOperator<GuardSettings> more) {
    this(directory, roles, more, RpcSettings.loopback(0));
  }

  GuardedCallers(
      Path directory,
      Map<String, Role> roles,
      UnaryOperator<GuardSettings> more,
      RpcSettings settings) {
    var path = directory.resolve("tokens.json");
    file = new TokenFile(path);
    roles.keySet().forEach(this::admit);
    rpc =
        RunningRpc.guarded(
            settings,
            more.apply(
                GuardSettings.of(path)
                    .withAuthentication(Authentication.REQUIRED)
                    .withRoles(roles)));
  }

  /** Makes a token with the role of its name. */
  void admit(String name) {
    var chance = new byte[40];
    chance[0] = (byte) (tokens.size() + 1);
    var made =
        ApiToken.make(
            new ApiToken.Grant(name, List.of(name), Instant.now(), Optional.empty()), chance);
    try {
      file.update(all -> all.with(made.token(), Instant.now()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tokens.put(name, made.secret());
  }

  String token(String who) {
    return tokens.get(who);
  }

  WebSocketClient socket(String who) {
    return rpc.webSocket(token(who));
  }

  /** The whole response. */
  JsonNode call(String who, String method, String params) {
    return RunningRpc.parse(post(who, RunningRpc.request(method, params).toString()));
  }

  String post(String who, String body) {
    return rpc.send(
            HttpRequest.newBuilder(rpc.uri("/"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token(who))
                .POST(BodyPublishers.ofString(body)))
        .body();
  }

  /** A role that reads and submits. */
  static Role submits(String identities, String queues, String accounts, String groups) {
    return role(Set.of(MethodGroup.READ, MethodGroup.SUBMIT), identities, queues, accounts, groups);
  }

  static Role role(
      Set<MethodGroup> methods, String identities, String queues, String accounts, String groups) {
    return new Role(
        methods,
        Map.of(
            Kind.IDENTITIES, List.of(identities),
            Kind.QUEUES, List.of(queues),
            Kind.ACCOUNTS, List.of(accounts),
            Kind.GROUPS, List.of(groups)));
  }

  @Override
  public void close() {
    rpc.close();
  }
}
