package dev.sequitur.node.rpc;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.method.RpcMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What docs/paladin.md says of each method that Paladin's clients call is what the node has. */
class PaladinPageTest {
  private static final Path PAGE = Path.of("../docs/paladin.md");
  private static final Path EXAMPLES =
      Path.of("src/test/resources/dev/sequitur/node/rpc/examples.json");
  private static final Pattern ROW =
      Pattern.compile(
          "\\| `(\\w+)` \\| (TypeScript|Go|TypeScript and Go) \\| ([a-z ]+) \\| (.*) \\|");
  private static final Pattern COUNTS =
      Pattern.compile(
          "Of the (\\d+) methods (\\d+) are the same, (\\d+) differ .*, (\\d+) answer what .*,"
              + " and (\\d+) are refused .*; none is missing\\.");

  /** In the order of the counts. */
  private static final List<String> WORDS = List.of("same", "differs", "empty", "refused");

  private record Row(String method, String word, String difference) {}

  private static String page;
  private static List<Row> rows;
  private static Map<String, RpcMethod> methods;
  private static JsonNode examples;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(PAGE);
    rows =
        ROW.matcher(page)
            .results()
            .map(row -> new Row(row.group(1), row.group(3), row.group(4)))
            .toList();
    examples = RunningRpc.JSON.readTree(EXAMPLES.toFile());
    try (var rpc = RunningRpc.withDefaults()) {
      methods =
          rpc.server.methods().methods().stream().collect(toMap(RpcMethod::name, method -> method));
    }
  }

  @Test
  void eachRowIsReadAndStandsInOrder() {
    assertThat(page.lines().filter(line -> line.startsWith("| `"))).hasSameSizeAs(rows);
    assertThat(rows).extracting(Row::method).isSorted().doesNotHaveDuplicates();
    assertThat(rows).extracting(Row::word).isSubsetOf(WORDS);
  }

  @Test
  void eachMethodIsHere() {
    assertThat(methods.keySet()).containsAll(rows.stream().map(Row::method).toList());
  }

  @Test
  void whatIsRefusedOrAlwaysEmptySaysSo() {
    for (var row : rows) {
      var example = examples.path(row.method());
      assertThat(example.has("error")).as(row.method()).isEqualTo(row.word().equals("refused"));
      assertThat(methods.get(row.method()).doc().matches("Always (empty|null): .*"))
          .as(row.method())
          .isEqualTo(row.word().equals("empty"));
    }
  }

  @Test
  void whatDiffersSaysHow() {
    for (var row : rows) {
      assertThat(row.difference().isBlank())
          .as(row.method())
          .isEqualTo(!row.word().equals("differs"));
    }
  }

  @Test
  void noMethodOfTheseFamiliesIsLeftOut() {
    var listed = rows.stream().map(Row::method).collect(toSet());
    var families = listed.stream().map(PaladinPageTest::family).collect(toSet());
    var ours =
        methods.keySet().stream()
            .filter(name -> families.contains(family(name)) && !listed.contains(name))
            .collect(toCollection(TreeSet::new));
    assertThat(ours)
        .isEqualTo(
            Set.of(
                "pstate_eraseContents",
                "pstate_listErasures",
                "ptx_deleteStoredABI",
                "ptx_getEndorsementProof",
                "ptx_submitPrepared"));
    var besides = page.substring(page.indexOf("Ours besides: "));
    var told = besides.substring(0, besides.indexOf('.'));
    ours.forEach(name -> assertThat(told).contains("`" + name + "`"));
  }

  @Test
  void theCountsAreThoseOfTheTable() {
    var counts = rows.stream().collect(groupingBy(Row::word, counting()));
    var said = COUNTS.matcher(page.replace("\n", " "));
    assertThat(said.find()).isTrue();
    assertThat(Integer.parseInt(said.group(1))).isEqualTo(rows.size());
    for (int i = 0; i < WORDS.size(); i++) {
      assertThat(Long.parseLong(said.group(i + 2)))
          .as(WORDS.get(i))
          .isEqualTo(counts.getOrDefault(WORDS.get(i), 0L));
    }
  }

  private static String family(String method) {
    return method.substring(0, Math.max(0, method.indexOf('_')));
  }
}
