package dev.sequitur.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** An address that is sent to others has no password in it. */
class PageLinkTest {
  @Command
  private static final class Asking {
    @Mixin private NodeAccess access;
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8545,http://127.0.0.1:8545/page/#/x",
    "https://bob:secret@node.example/,https://node.example/page/#/x",
    "https://node.example/behind/a/proxy/?key=secret,https://node.example/behind/a/proxy/page/#/x",
    "http://[::1]:8545/,http://[::1]:8545/page/#/x"
  })
  void itHasTheNodesHostAndPathAlone(String node, String link) {
    var asking = new Asking();
    new CommandLine(asking).parseArgs("--node", node);
    assertThat(asking.access.pageOf("x")).isEqualTo(link);
  }
}
