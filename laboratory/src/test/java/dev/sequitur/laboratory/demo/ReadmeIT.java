package dev.sequitur.laboratory.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.laboratory.Main;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import dev.sequitur.node.process.TypedLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the README tells a stranger to type, and what it says comes of it. Figures, ids and dates
 * may differ, the words may not. With -Dbuild.docs.write=true the answers are written anew.
 */
@Tag("slow")
class ReadmeIT {
  private static final Path README = Path.of("..", "README.md");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A block of commands, or of what is printed: its kind and its lines. */
  private static final Pattern BLOCK =
      Pattern.compile("```(sh|json|text)\n(.*?)```\n", Pattern.DOTALL);

  private static final Pattern POSTED = Pattern.compile("curl -s \\$NODE .*-d '(.*)'");
  private static final Pattern VARIES =
      Pattern.compile(
          "0x[0-9a-f]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
              + "|[0-9-]+T[0-9:.]+Z|[0-9][0-9,.]*|=+|-{3,}");

  @TempDir Path directory;

  @Test
  void whatAStrangerTypesAnswersWhatThePageSays() throws IOException {
    var page = Files.readString(README);
    String tried;
    try (var demo = sequitur("demo", "--keep-running")) {
      demo.awaitLine("alice@node1 pays");
      demo.awaitLine("\"to\":\"(0x[0-9a-f]+)\"");
      tried = new Try(demo).answered(page);
    }
    if (Boolean.getBoolean("build.docs.write")) {
      Files.writeString(README, tried);
    }
    assertThat(withoutWhatVaries(page))
        .as("Run ReadmeIT with -Dbuild.docs.write=true")
        .isEqualTo(withoutWhatVaries(tried));
  }

  private static String withoutWhatVaries(String text) {
    return VARIES.matcher(text).replaceAll("#").replaceAll(" {2,}", "  ");
  }

  private SequiturProcess sequitur(String... line) {
    return SequiturProcess.start(directory, Main.class, List.of(), line);
  }

  /** Goes through the page from its top, beside a demonstration that keeps running. */
  private final class Try {
    private final String node;
    private final String contract;
    private final JsonRpcCaller caller;

    /** What the last commands have printed; at first, the demonstration. */
    private String printed;

    private String id = "";

    private Try(SequiturProcess demo) {
      var output = demo.output();
      node = found("  node1  (http://\\S+)", output);
      contract = found("\"to\":\"(0x[0-9a-f]+)\"", output);
      caller = new JsonRpcCaller(node);
      printed = found("(?s)(Summary of run 1\n.*?)\n\nThe nodes stay up", output) + "\n";
    }

    /** The page with what is answered now. */
    private String answered(String page) {
      var tried = new StringBuilder();
      var blocks = BLOCK.matcher(page);
      while (blocks.find()) {
        if (blocks.group(1).equals("sh")) {
          printed = run(blocks.group(2).lines().toList());
          blocks.appendReplacement(tried, "$0");
        } else {
          var block = "```" + blocks.group(1) + "\n" + printed + "```\n";
          blocks.appendReplacement(tried, block.replace("\\", "\\\\").replace("$", "\\$"));
        }
      }
      return blocks.appendTail(tried).toString();
    }

    private String run(List<String> commands) {
      var answers = new StringBuilder();
      commands.forEach(command -> answers.append(run(command)));
      return answers.toString();
    }

    private String run(String command) {
      var posted = POSTED.matcher(command);
      if (posted.matches()) {
        var answer = caller.post(posted.group(1).replace("'$CONTRACT'", contract));
        if (command.contains("ptx_sendTransaction")) {
          id = found("\"result\":\"([^\"]+)\"", answer);
          Awaitility.await()
              .atMost(PATIENCE)
              .until(() -> caller.post(receipt()).contains("\"success\":true"));
        }
        return answer.strip() + "\n";
      }
      assertThat(command).startsWith("./sequitur ");
      var words =
          new TypedLine(name -> name.equals("NODE") ? node : id, any -> any)
              .words(command.substring("./sequitur ".length()));
      try (var process = sequitur(words.toArray(String[]::new))) {
        assertThat(process.awaitExit()).as(process.output()).isZero();
        return process.output().strip() + "\n";
      }
    }

    private String receipt() {
      return "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ptx_getTransactionReceipt\",\"params\":[\"%s\"]}"
          .formatted(id);
    }
  }

  private static String found(String pattern, String text) {
    var matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }
}
