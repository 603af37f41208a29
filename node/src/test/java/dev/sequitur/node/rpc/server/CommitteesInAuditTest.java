package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.guard.AuditLog;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.sequencer.setup.CommitteeNews;
import dev.sequitur.sequencer.setup.CommitteeNews.News;
import dev.sequitur.sequencer.setup.CommitteeNews.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does about committees by itself is in its audit (AGR-8). */
class CommitteesInAuditTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "01".repeat(20));
  private static final List<Identity> ALICE = List.of(Identity.parse("alice@node1"));
  private static final long FILE_BYTES = 100_000;

  @TempDir private Path directory;

  private List<String> written(News... all) throws IOException {
    var news = new CommitteeNews();
    try (var log = AuditLog.open(directory, FILE_BYTES, 0)) {
      var audited = new Audited(Optional.of(log), () -> Instant.EPOCH, () -> 0);
      news.take(audited::committee);
      List.of(all).forEach(news::tell);
    }
    var lines = new ArrayList<String>();
    try (var files = Files.list(directory)) {
      for (var file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Test
  void whatItHasSignedWhatCameIntoForceAndWhatIsOver() throws IOException {
    var lines =
        written(
            new News(CONTRACT, 1, What.SIGNED, ALICE, Optional.empty(), Optional.empty()),
            new News(
                CONTRACT,
                1,
                What.CHANGED,
                ALICE,
                Optional.of(new BlockHeight(7)),
                Optional.empty()),
            new News(CONTRACT, 2, What.OVER, ALICE, Optional.empty(), Optional.of("Too late.")));

    var begin =
        "{\"at\":\"1970-01-01T00:00:00Z\",\"event\":\"committee\",\"contract\":[\"%s\"],"
            .formatted(CONTRACT);
    assertThat(lines)
        .anyMatch(
            it ->
                it.endsWith(
                    begin + "\"number\":1,\"identity\":[\"alice@node1\"],\"outcome\":\"signed\"}"))
        .anyMatch(
            it ->
                it.endsWith(
                    begin
                        + "\"number\":1,\"identity\":[\"alice@node1\"],\"outcome\":\"changed\",\"block\":7}"))
        .anyMatch(it -> it.endsWith("\"outcome\":\"over\",\"reason\":\"Too late.\"}"));
  }

  @Test
  void whereNothingIsWrittenDownNothingFails() {
    var audited = new Audited(Optional.empty(), () -> Instant.EPOCH, () -> 0);

    audited.committee(
        new News(CONTRACT, 1, What.SIGNED, ALICE, Optional.empty(), Optional.empty()));

    assertThat(directory).isEmptyDirectory();
  }
}
