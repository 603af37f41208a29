package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.guard.AuditFiles;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Audit;
import dev.sequitur.node.guard.GuardSettings.Writing;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.sequencer.setup.CommitteeNews;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of each method that changes something, that its call is written down with what it was about. */
class AuditedCallsTest {
  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/sequitur/node/rpc/examples.json");
  private static final Set<String> ENVELOPE = Set.of("at", "caller", "method", "outcome");

  /** What these are about has no id, or is none of a caller's. */
  private static final Set<String> ABOUT_THE_NODE =
      Set.of(
          "log_setLevel",
          "node_backup",
          "node_diagnose",
          "node_drain",
          "node_endedTransactions",
          "node_estimateRoom",
          "ptx_unsubscribe",
          "pgroup_unsubscribe",
          "events_unsubscribe",
          "ptx_ack",
          "pgroup_ack",
          "events_ack",
          "ptx_nack",
          "pgroup_nack",
          "events_nack",
          "chaos_setFault",
          "chaos_listFaults",
          "chaos_clearFaults");

  @Test
  void eachCallThatChangesSomethingIsWrittenDownWithWhatItWasAbout(@TempDir Path directory)
      throws IOException {
    var examples = RunningRpc.JSON.readTree(EXAMPLES.toFile());
    var guard =
        GuardSettings.of(directory.resolve("tokens.json"))
            .withAudit(new Audit(Writing.ALWAYS, directory, 1 << 30, 0));
    Map<String, JsonNode> written = new HashMap<>();
    try (var rpc = RunningRpc.withChaos(guard);
        var socket = rpc.webSocket()) {
      Sample.publics(rpc.node.store());
      var running = Examples.onRules(examples, rpc);
      for (var method : rpc.server.methods().methods()) {
        if (method.answered()) {
          var response = socket.call(method.name(), running.params(method.name()).toString());
          running.answered(method.name(), response.get("result"));
        } else {
          socket.tell(method.name(), examples.get(method.name()).get("params").toString());
        }
      }
      // One more, so that what was told and not answered is written before.
      socket.call("schedule_pause", "[{\"family\": \"recurring\"}]");
      for (var line : Files.readAllLines(new AuditFiles(directory).list().get(0))) {
        if (!line.startsWith("#")) {
          var entry = RunningRpc.parse(line.substring(line.indexOf('{')));
          written.put(entry.get("method").textValue(), entry);
        }
      }
      for (var method : rpc.server.methods().methods()) {
        if (method.group() == MethodGroup.READ) {
          assertThat(written).doesNotContainKey(method.name());
        } else {
          var entry = written.get(method.name());
          assertThat(entry).as(method.name()).isNotNull();
          assertThat(ABOUT_THE_NODE.contains(method.name()) || saysWhat(entry))
              .as(entry.toString())
              .isTrue();
        }
      }
    }
  }

  @Test
  void aNodeWhoseAuditCannotBeWrittenChangesNothingAndSaysSo(@TempDir Path directory)
      throws IOException {
    var guard =
        GuardSettings.of(directory.resolve("tokens.json"))
            .withAudit(new Audit(Writing.ALWAYS, directory, 100, 0));
    try (var rpc = RunningRpc.guarded(guard)) {
      rpc.result("schedule_pause", "[{\"family\": \"recurring\"}]");
      // Where the next file would begin.
      Files.createDirectory(directory.resolve("audit-000000000002.log"));

      rpc.error("schedule_resume", "[{\"family\": \"recurring\"}]");

      assertThat(rpc.error("schedule_resume", "[{\"family\": \"recurring\"}]").toString())
          .contains("SQ010905");
      var health = RunningRpc.parse(rpc.send(HttpRequest.newBuilder(rpc.uri("/health"))).body());
      assertThat(health.get("status").textValue()).isEqualTo("DEGRADED");
      assertThat(health.at("/troubles/0").textValue()).startsWith("The audit cannot be written");
    }
  }

  /** Entries are written in one line: it is there before the call is answered. */
  @Test
  void whatTheNodeDoesAboutACommitteeIsWrittenDownToo(@TempDir Path directory) throws IOException {
    var guard =
        GuardSettings.of(directory.resolve("tokens.json"))
            .withAudit(new Audit(Writing.ALWAYS, directory, 1 << 30, 0));
    try (var rpc = RunningRpc.guarded(guard)) {
      rpc.node
          .committees()
          .tell(
              new CommitteeNews.News(
                  Sample.agreedChange().contract(),
                  1,
                  CommitteeNews.What.SIGNED,
                  List.of(),
                  Optional.empty(),
                  Optional.empty()));

      rpc.result("schedule_pause", "[{\"family\": \"recurring\"}]");

      assertThat(Files.readAllLines(new AuditFiles(directory).list().getFirst()))
          .anyMatch(line -> line.contains("\"event\":\"committee\""));
    }
  }

  private static boolean saysWhat(JsonNode entry) {
    var fields = new HashSet<String>();
    entry.fieldNames().forEachRemaining(fields::add);
    fields.removeAll(ENVELOPE);
    // Nearly everything is about a queue: that alone says nothing.
    fields.remove("queue");
    return !fields.isEmpty();
  }
}
