package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What the example of each method needs to be granted, in a file for a person to read: what is not
 * there, a caller gets without its name being granted. Written anew with -Dbuild.docs.write=true.
 */
class MentionsTest {
  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/sequitur/node/rpc/examples.json");
  private static final Path NEEDED =
      Path.of("src/test/resources/dev/sequitur/node/rpc/needed-grants.txt");

  @Test
  void theExampleOfEachMethodNeedsWhatThePageSays() throws IOException {
    var examples = RunningRpc.JSON.readTree(EXAMPLES.toFile());
    var lines = new StringBuilder();
    try (var rpc = RunningRpc.withDefaults()) {
      for (var method : rpc.server.methods().methods()) {
        lines.append(method.name()).append(": ").append(method.group().word());
        var needed = new TreeSet<String>();
        method.about().forEach(kind -> needed.add(kind.word() + " *"));
        format(method)
            .tellByPosition(
                examples.path(method.name()).path("params"),
                (mention, name) -> needed.add(mention + " " + name));
        needed.forEach(need -> lines.append(", ").append(need));
        lines.append('\n');
      }
    }
    if (Boolean.getBoolean("build.docs.write")) {
      Files.writeString(NEEDED, lines.toString());
    }

    assertThat(Files.readString(NEEDED)).isEqualTo(lines.toString());
  }

  @Test
  void eachGroupThatARoleMayGrantHasAMethod() {
    try (var rpc = RunningRpc.withDefaults()) {
      assertThat(rpc.server.methods().methods())
          .extracting(RpcMethod::group)
          .contains(MethodGroup.values());
    }
  }

  /** By which callers name whom they act as, or whose a thing is. */
  private static final Set<String> NAMING =
      Set.of(
          "from",
          "senderAddr",
          "owner",
          "sender",
          "as",
          "requestor",
          "account",
          "accountID",
          "identity");

  /** Filters, money's receivers and what is only looked up: nobody acts as these. */
  private static final Set<String> NOT_NEEDED =
      Set.of(
          "schedule_list owner",
          "events_createListener owner",
          "events_createWebhook owner",
          "multiSignature_buildBody account",
          "recurring_freeSlots from",
          "schedule_backFill from");

  @Test
  void noNameInAnExampleGoesUntold() throws IOException {
    var examples = RunningRpc.JSON.readTree(EXAMPLES.toFile());
    try (var rpc = RunningRpc.withDefaults()) {
      for (var method : rpc.server.methods().methods()) {
        var params = examples.path(method.name()).path("params");
        var told = new TreeSet<String>();
        format(method).tellByPosition(params, (mention, name) -> told.add(name));
        for (var name : names(method.name(), params)) {
          assertThat(told).as(method.name()).contains(name);
        }
      }
    }
  }

  private static List<String> names(String method, JsonNode node) {
    var found = new ArrayList<String>();
    node.fields()
        .forEachRemaining(
            field -> {
              if (NAMING.contains(field.getKey())
                  && field.getValue().isTextual()
                  && !NOT_NEEDED.contains(method + " " + field.getKey())) {
                found.add(field.getValue().textValue());
              }
            });
    node.forEach(each -> found.addAll(names(method, each)));
    return found;
  }

  private static ObjectFormat format(RpcMethod method) {
    return ObjectFormat.of(method.name()).with(method.parameters());
  }
}
