package dev.sequitur.protocol;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What code, tests and docs say of rules can be found in docs/rules. */
final class RulesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern DEFINITION =
      Pattern.compile(
          "^- <a id=\"([a-z]+-\\d+)\"></a>\\*\\*([A-Z]+-\\d+)\\*\\* ", Pattern.MULTILINE);

  private static final Pattern LINK =
      Pattern.compile("\\(((?:rules/)?[a-z-]+\\.md)#([a-z]+-\\d+)\\)");

  /** Marks and names of papers that are not in this repository. */
  private static final Pattern OUTSIDE =
      Pattern.compile(
          "\\((?:[^()]*[ ,;])?[A-G]\\d{1,2}(?:[,;][^()]*)?\\)"
              + "|DECISIONS"
              + "|\\b[Tt]hat\\s+network's"
              + "|\\b[Oo][nf] that\\s+network\\b"
              + "|\\bspecs/"
              + "|(?:distributed-sequencer|hedera-scheduled-transactions|oak-recurring-tasks"
              + "|aptos-aip-125-scheduled-transactions|rif-scheduler-contracts)\\.md");

  /** What people read of Java: comments and texts. The rest may have a variable of such a name. */
  private static final Pattern PROSE =
      Pattern.compile("^\\s*(?:/\\*|\\*).*|//.*|\"[^\"\\n]*\"", Pattern.MULTILINE);

  private record Source(String name, String text) {}

  private static List<Source> sources;
  private static List<String> rules;

  @BeforeAll
  static void readEverything() throws IOException {
    sources = sources();
    rules =
        sources.stream()
            .filter(source -> source.name().startsWith("docs/rules/"))
            .flatMap(source -> DEFINITION.matcher(source.text()).results())
            .map(found -> found.group(2))
            .toList();
  }

  @Test
  void everyRuleHasANumberOfItsOwn() {
    assertThat(rules).hasSizeGreaterThan(100).doesNotHaveDuplicates();
  }

  @Test
  void theNumbersOfAGroupHaveNoGaps() {
    var numbers = new TreeMap<String, List<Integer>>();
    for (var rule : rules) {
      numbers.computeIfAbsent(group(rule), group -> new ArrayList<>()).add(number(rule));
    }

    assertThat(numbers)
        .allSatisfy(
            (group, found) ->
                assertThat(found)
                    .as(group)
                    .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, found.size()).boxed().toList()));
  }

  @Test
  void eachRuleCanBeLinkedByItsNumber() throws IOException {
    for (var source : sources) {
      DEFINITION
          .matcher(source.text())
          .results()
          .forEach(
              found ->
                  assertThat(found.group(1))
                      .as(source.name())
                      .isEqualTo(found.group(2).toLowerCase(Locale.ROOT)));
    }
    var glossary = Files.readString(ROOT.resolve(Path.of("docs", "glossary.md")));
    var missing = new ArrayList<String>();
    for (var link : LINK.matcher(glossary).results().toList()) {
      var page = Files.readString(ROOT.resolve("docs").resolve(link.group(1)));
      if (!page.contains("<a id=\"" + link.group(2) + "\"></a>")) {
        missing.add(link.group());
      }
    }
    assertThat(missing).as("links of docs/glossary.md that lead nowhere").isEmpty();
  }

  @Test
  void everyRuleThatIsNamedExists() {
    var named = named();
    var unknown = new TreeSet<String>();
    for (var source : sources) {
      named
          .matcher(source.text())
          .results()
          .filter(found -> !rules.contains(found.group()))
          .forEach(found -> unknown.add(source.name() + " names " + found.group()));
    }

    assertThat(unknown).as("rules that are not in docs/rules").isEmpty();
  }

  /** So that a reader of a rule finds who keeps it, and what is red if nobody does. */
  @Test
  void everyRuleIsNamedByTheCodeThatKeepsItOrByATest() {
    var named = named();
    var unnamed = new TreeSet<>(rules);
    for (var source : sources) {
      if (source.name().endsWith(".java")) {
        named.matcher(source.text()).results().map(MatchResult::group).forEach(unnamed::remove);
      }
    }

    assertThat(unnamed).as("rules that no code and no test names").isEmpty();
  }

  @Test
  void nothingPointsOutsideTheRepository() {
    var outside = new TreeSet<String>();
    for (var source : sources) {
      var text = source.name().endsWith(".java") ? prose(source.text()) : source.text();
      OUTSIDE
          .matcher(text)
          .results()
          .forEach(found -> outside.add(source.name() + " says " + found.group()));
    }

    assertThat(outside).as("name the rule of docs/rules instead").isEmpty();
  }

  /** What looks like a rule of a group that there is. */
  private static Pattern named() {
    var groups = new LinkedHashSet<String>();
    rules.forEach(rule -> groups.add(group(rule)));
    return Pattern.compile("\\b(?:" + String.join("|", groups) + ")-\\d+\\b");
  }

  private static String prose(String java) {
    return PROSE.matcher(java).results().map(MatchResult::group).collect(joining("\n"));
  }

  private static String group(String rule) {
    return rule.substring(0, rule.indexOf('-'));
  }

  private static int number(String rule) {
    return Integer.parseInt(rule.substring(rule.indexOf('-') + 1));
  }

  private static List<Source> sources() throws IOException {
    var found = new ArrayList<Source>();
    var left = Set.of("target", ".git", "node_modules", "golden");
    var kinds = Set.of("java", "md", "conf");
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return left.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            var name = ROOT.relativize(file).toString().replace('\\', '/');
            var kind = name.substring(name.lastIndexOf('.') + 1);
            if (kinds.contains(kind) && !name.endsWith("/RulesTest.java")) {
              found.add(new Source(name, Files.readString(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
