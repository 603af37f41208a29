package dev.sequitur.laboratory.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.client.Credentials;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.rpc.RunningRpc;
import dev.sequitur.protocol.guard.ApiToken;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named.Kind;
import dev.sequitur.protocol.guard.Role;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosNodeTest {
  private static final Role REHEARSAL =
      new Role(Set.of(MethodGroup.READ, MethodGroup.CHAOS), Map.of(Kind.GROUPS, List.of("*")));

  @Test
  void aNodeThatAsksWhoCallsIsShownTheCallersToken(@TempDir Path directory) throws IOException {
    var tokens = directory.resolve("tokens.json");
    var now = Instant.now();
    var made =
        ApiToken.make(
            new ApiToken.Grant("ci", List.of("rehearsal"), now, Optional.empty()), new byte[40]);
    new TokenFile(tokens).update(known -> known.with(made.token(), now));
    var asking =
        GuardSettings.of(tokens)
            .withAuthentication(Authentication.REQUIRED)
            .withRoles(Map.of("rehearsal", REHEARSAL));

    try (var guarded = RunningRpc.guarded(asking)) {
      var uri = guarded.uri("/");
      assertThatThrownBy(() -> new ChaosNode(uri, Credentials.NONE).target())
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("asks who calls");

      var shown = new Credentials(Optional.of(made.secret()), Optional.empty());
      var node = new ChaosNode(uri, shown);
      assertThat(node.target().name()).isEqualTo(new NodeName("node1"));
      assertThat(node.figures()).isNotEmpty();
      node.clear();
    }
  }
}
