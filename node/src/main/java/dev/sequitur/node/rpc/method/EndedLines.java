package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.node.rpc.method.EndorsementProofs.Shown;
import dev.sequitur.node.rpc.method.TransactionShapes.States;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.RoomStore.Ended;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.Course;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * How what has ended stands in JSON, a line for each receipt, before a node forgets it: with what
 * was sent, the contents of the states that go with it, and the proof that it was endorsed.
 */
public final class EndedLines {
  /** Transactions whose proofs are asked for at once. */
  private static final int AT_ONCE = 8;

  /** A receipt with its proof. */
  record Line(Ended ended, Optional<Shown> proof) {
    private Receipt ofReceipt() {
      return ended.receipt().receipt();
    }

    private Optional<States> states() {
      return ofReceipt()
          .onLedger()
          .filter(place -> ofReceipt().called().isEmpty())
          .map(
              place ->
                  new States(
                      ofReceipt().domain(),
                      place.spent(),
                      place.read(),
                      place.confirmed(),
                      ended.spent()));
    }
  }

  static final ObjectShape<Line> SHAPE =
      ObjectShape.<Line>named("EndedTransaction")
          .all(TransactionShapes.RECEIPT, line -> line.ended().receipt())
          .with("own", Formats.BOOLEAN, line -> line.ended().receipt().own(), "of this node")
          .maybe(
              "commitment",
              Formats.HASH,
              line -> line.ended().sender().map(SenderCommitment::value),
              "to its sender, of another node's")
          .maybe(
              "transaction",
              TransactionShapes.TRANSACTION,
              line -> line.ended().intent(),
              "as it was sent, of an own one")
          .maybe(
              "dependsOn",
              Formats.TRANSACTION_ID.list(),
              line ->
                  line.ended()
                      .intent()
                      .flatMap(Intent::privately)
                      .map(PrivateTransaction::dependsOn)
                      .filter(all -> !all.isEmpty()))
          .maybe(
              "history",
              TransactionShapes.EVENT.list(),
              line -> line.ofReceipt().course().map(Course::history),
              "what happened to it")
          .maybe(
              "prepared",
              TransactionShapes.LEDGER_TRANSACTION,
              line -> line.ended().prepared().map(Prepared::prepared),
              "for its caller to submit")
          .maybe(
              "states",
              TransactionShapes.STATES,
              Line::states,
              "with the contents of those that it has spent: each stands in the line of what spent"
                  + " it")
          .maybe(
              "proof",
              EndorsementProofs.SHAPE,
              Line::proof,
              "that it was endorsed, as ptx_getEndorsementProof answers it");

  private final ProofsOnLedger proofs;

  /**
   * @param groups finds the group of a contract, if this node knows it
   */
  public EndedLines(
      BaseLedger ledger,
      Function<ContractAddress, CompletionStage<Optional<PrivacyGroup>>> groups) {
    this.proofs = new ProofsOnLedger(ledger, groups);
  }

  /**
   * A line for each, in their order.
   *
   * @return fails if the base ledger cannot be asked
   */
  public CompletionStage<List<JsonNode>> write(List<Ended> ended) {
    return lines(ended).thenApply(lines -> lines.stream().<JsonNode>map(SHAPE::write).toList());
  }

  CompletionStage<List<Line>> lines(List<Ended> ended) {
    return lines(ended, new ArrayList<>());
  }

  private CompletionStage<List<Line>> lines(List<Ended> left, List<Line> made) {
    if (left.isEmpty()) {
      return CompletableFuture.completedFuture(made);
    }
    int now = Math.min(AT_ONCE, left.size());
    return Answers.all(left.subList(0, now).stream().map(this::line).toList())
        .thenCompose(
            some -> {
              made.addAll(some);
              return lines(left.subList(now, left.size()), made);
            });
  }

  private CompletionStage<Line> line(Ended ended) {
    return proof(ended).thenApply(proof -> new Line(ended, proof));
  }

  private CompletionStage<Optional<Shown>> proof(Ended ended) {
    var receipt = ended.receipt().receipt();
    if (receipt.called().isPresent()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    var hash = receipt.onLedger().map(OnLedger::hash);
    if (hash.isPresent()) {
      return proofs.find(hash.get(), fulfilled -> isOf(ended, fulfilled));
    }
    return ended
        .prepared()
        .map(prepared -> proofs.shown(prepared.prepared(), Optional.empty()))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  /** In a transaction of another the same id may stand for something else. */
  private static boolean isOf(Ended ended, LedgerReceipt.Fulfilled fulfilled) {
    NumberedReceipt numbered = ended.receipt();
    var id = numbered.receipt().transaction();
    var key =
        ended
            .intent()
            .flatMap(Intent::privately)
            .map(PrivateTransaction::key)
            .or(() -> ended.sender().map(sender -> new IntentKey(id, sender)));
    return fulfilled.transaction().equals(id)
        && fulfilled.contract().equals(numbered.receipt().contract())
        && key.map(fulfilled.intent()::equals).orElse(true);
  }
}
