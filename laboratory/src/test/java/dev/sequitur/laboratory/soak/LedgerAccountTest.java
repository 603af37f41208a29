package dev.sequitur.laboratory.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.laboratory.load.Entrance.Ended;
import dev.sequitur.laboratory.load.Totals.Outcome;
import dev.sequitur.laboratory.report.ReportFile;
import dev.sequitur.laboratory.soak.LedgerAccount.Tally;
import dev.sequitur.laboratory.soak.RemoteLoad.Sent;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LedgerAccountTest {

  private final TransactionId first = new TransactionId(new UUID(0, 1));
  private final TransactionId second = new TransactionId(new UUID(0, 2));

  @Test
  void whatWasConfirmedOnceAndWhatWasRevertedIsComplete() {
    var all = List.of(ended(first, true), ended(second, false));
    assertThat(tally(Map.of(first, 1), all)).isEqualTo(new Tally(2, 1, 1, 0, 0, 0));
    assertThat(report(Map.of(first, 1), all).holds()).isTrue();
  }

  @Test
  void aSuccessThatDoesNotStandOnTheLedgerIsLost() {
    var all = List.of(ended(first, true));
    assertThat(tally(Map.of(), all)).isEqualTo(new Tally(1, 0, 0, 1, 0, 0));
    assertThat(report(Map.of(), all).holds()).isFalse();
  }

  @Test
  void whatHasNoReceiptIsLost() {
    var sent = new Sent(2, Set.of(first), List.of());

    assertThat(ledger(Map.of(first, 1)).compare(sent)).isEqualTo(new Tally(2, 0, 0, 2, 0, 0));
  }

  @Test
  void aSecondFulfilmentIsADuplicateAndSoIsAnIdThatNobodyWasGiven() {
    var all = List.of(ended(first, true));
    assertThat(tally(Map.of(first, 2), all).duplicates()).isEqualTo(1);
    assertThat(tally(Map.of(first, 1, second, 1), all).duplicates()).isEqualTo(1);
    assertThat(report(Map.of(first, 2), all).holds()).isFalse();
  }

  @Test
  void aRevertThatStandsOnTheLedgerIsAContradiction() {
    var all = List.of(ended(first, false));
    assertThat(tally(Map.of(first, 1), all)).isEqualTo(new Tally(1, 0, 0, 0, 0, 1));
    assertThat(report(Map.of(first, 1), all).holds()).isFalse();
  }

  @Test
  void theReportSaysSoInWordsAndInJson() {
    var all = List.of(ended(first, true));
    assertThat(report(Map.of(first, 1), all).lines())
        .anyMatch(line -> line.matches(" +confirmed +1"))
        .anyMatch(line -> line.contains("latency before") && line.contains("p50 5 ms"))
        .contains("  holds  every transaction completed exactly once");
    assertThat(report(Map.of(), all).lines())
        .contains("  FAILS  not every transaction completed exactly once");
    assertThat(ReportFile.text(report(Map.of(), all).written()))
        .contains("\"lost\" : 1", "\"holds\" : false", "\"p50\" : 5");
  }

  private static Outcome ended(TransactionId id, boolean success) {
    var ended = new Ended(id, true, success, Optional.empty(), Optional.empty());
    return new Outcome("node1", ended, 0, OptionalLong.of(5_000_000));
  }

  private static LedgerAccount ledger(Map<TransactionId, Integer> fulfilled) {
    return new LedgerAccount(new LedgerAudit(Conservation.UNKNOWN).report(), fulfilled);
  }

  private static Sent sent(List<Outcome> all) {
    var ids = all.stream().map(outcome -> outcome.ended().id()).collect(Collectors.toSet());
    return new Sent(all.size(), ids, all);
  }

  private static Tally tally(Map<TransactionId, Integer> fulfilled, List<Outcome> all) {
    return ledger(fulfilled).compare(sent(all));
  }

  private static SoakReport report(Map<TransactionId, Integer> fulfilled, List<Outcome> all) {
    var minute = Duration.ofMinutes(1);
    var options =
        new SoakOptions(
            2, 1, minute, minute, 1, 1, Optional.empty(), 1, Optional.empty(), Map.of(), minute);
    return new SoakReport(
        options,
        tally(fulfilled, all),
        0,
        0,
        SoakReport.latencies(all, new KillLog()),
        minute,
        new HashMap<>(),
        ledger(fulfilled),
        List.of());
  }
}
