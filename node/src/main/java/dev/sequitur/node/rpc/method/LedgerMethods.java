package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Called;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The base ledger as this node has indexed it. */
record LedgerMethods(NodeContext context) {
  static final Field<Long> NUMBER = Field.of("number", Formats.NUMBER, "the block's height");
  static final Field<Hash> HASH = Field.of("hash", Formats.HASH, "of the base-ledger transaction");
  private static final Shape<Long> HEX_NUMBER =
      Shape.words("0x and hexadecimal digits", "0x539")
          .of(number -> "0x" + Long.toHexString(number));

  static final ObjectShape<Block> BLOCK =
      ObjectShape.<Block>named("Block")
          .with("number", Shape.NUMBER, block -> block.height().value())
          .with("hash", Formats.HASH, Block::hash)
          .with("timestamp", Formats.TIME, Block::timestamp);

  /**
   * What a base-ledger transaction came to, or one transition of it.
   *
   * @param to the contract that it called
   * @param created the contract that it made
   * @param transaction the private one whose intent it was to fulfil
   */
  private record Outcome(
      Optional<ContractAddress> to,
      Optional<ContractAddress> created,
      Optional<TransactionId> transaction,
      boolean success,
      Optional<RevertReason> reverted) {
    static Outcome of(LedgerReceipt.Result result) {
      return switch (result) {
        case Deployed deployed ->
            new Outcome(
                Optional.empty(),
                Optional.of(deployed.contract()),
                Optional.empty(),
                true,
                Optional.empty());
        case CommitteeChanged changed ->
            new Outcome(
                Optional.of(changed.contract()),
                Optional.empty(),
                Optional.empty(),
                true,
                Optional.empty());
        case ChangeRefused refused ->
            new Outcome(
                Optional.of(refused.contract()),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty());
        case Fulfilled fulfilled ->
            new Outcome(
                Optional.of(fulfilled.contract()),
                Optional.empty(),
                Optional.of(fulfilled.transaction()),
                true,
                Optional.empty());
        case Reverted reverted ->
            new Outcome(
                Optional.of(reverted.contract()),
                Optional.empty(),
                Optional.of(reverted.transaction()),
                false,
                Optional.of(reverted.reason()));
        case Called called ->
            new Outcome(
                Optional.empty(),
                called.created(),
                Optional.empty(),
                called.success(),
                Optional.empty());
        case NonceUsed ignored ->
            new Outcome(
                Optional.empty(), Optional.empty(), Optional.empty(), true, Optional.empty());
      };
    }

    /**
     * What is told of the whole as well, for its signer, says nothing that its transitions do not.
     */
    static List<Outcome> of(LedgerReceipt receipt) {
      var results = receipt.results();
      boolean tellsMore = results.size() > 1 && receipt.called().isPresent();
      return (tellsMore ? results.subList(0, results.size() - 1) : results)
          .stream().map(Outcome::of).toList();
    }
  }

  private static final String SUCCESS = "success";
  private static final String FAILURE = "failure";
  private static final Shape<Boolean> RESULT =
      Shape.among(List.of(SUCCESS, FAILURE)).of(success -> success ? SUCCESS : FAILURE);

  private static final ObjectShape<Outcome> OUTCOME =
      ObjectShape.<Outcome>named("LedgerOutcome")
          .maybe("to", Formats.ADDRESS, Outcome::to, "the contract that it called")
          .maybe("contractAddress", Formats.ADDRESS, Outcome::created, "the contract that it made")
          .maybe(
              "id",
              Formats.TRANSACTION_ID,
              Outcome::transaction,
              "the private transaction whose intent it was to fulfil")
          .with("result", RESULT, Outcome::success)
          .maybe("revertReason", Shape.among(RevertReason.class, Enum::name), Outcome::reverted);

  static final ObjectShape<LedgerReceipt> TRANSACTION =
      ObjectShape.<LedgerReceipt>named("LedgerTransaction")
          .with("hash", Formats.HASH, receipt -> receipt.hash().value())
          .with("blockNumber", Shape.NUMBER, receipt -> receipt.block().value())
          .with("transactionIndex", Shape.NUMBER, LedgerReceipt::index)
          .with(
              "from",
              Shape.words("an address", "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"),
              LedgerReceipt::signer)
          .with("nonce", Shape.NUMBER, LedgerReceipt::nonce)
          .maybe("to", Formats.ADDRESS, LedgerMethods::called, "the group's contract, if it is one")
          .maybe(
              "contractAddress", Formats.ADDRESS, LedgerMethods::made, "the contract that it made")
          .with(
              "result",
              RESULT,
              LedgerMethods::succeeded,
              "`failure` if each of the outcomes is one")
          .with(
              "outcomes",
              OUTCOME.list(),
              Outcome::of,
              "of each transition by itself, in its order; one if it has none");

  /** The only contract that its transitions call. */
  static Optional<ContractAddress> called(LedgerReceipt receipt) {
    var all =
        Outcome.of(receipt).stream().flatMap(outcome -> outcome.to().stream()).distinct().toList();
    return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
  }

  static Optional<ContractAddress> made(LedgerReceipt receipt) {
    return Outcome.of(receipt).stream().flatMap(outcome -> outcome.created().stream()).findFirst();
  }

  static boolean succeeded(LedgerReceipt receipt) {
    return Outcome.of(receipt).stream().anyMatch(Outcome::success);
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "eth_chainId",
            List.of(),
            HEX_NUMBER,
            "0x and hexadecimal digits",
            "The chain id of the base ledger: wallets and client libraries ask for it first.",
            call -> completedFuture(context.chainId())),
        RpcMethod.reading(
            "net_version",
            List.of(),
            Shape.words("decimal digits in a string", "1337"),
            "decimal digits in a string",
            "The same chain id, as older client libraries ask for it.",
            call -> completedFuture(context.chainId())),
        RpcMethod.reading(
            "bidx_getConfirmedBlockHeight",
            List.of(),
            HEX_NUMBER,
            "0x and hexadecimal digits, as clients of the field expect",
            "The newest final block that this node has indexed: coordinator selection goes by it.",
            call -> completedFuture(context.node().blockHeight().value())),
        RpcMethod.reading(
            "bidx_getBlockByNumber",
            List.of(NUMBER),
            BLOCK.orNull(),
            "`{number, hash, timestamp}`, or null",
            "A final block.",
            call -> block(call.get(NUMBER))),
        RpcMethod.reading(
            "bidx_getTransactionByHash",
            List.of(HASH),
            TRANSACTION.orNull(),
            "the base-ledger transaction, or null",
            "A transaction in a block of this node's view, with what each of its transitions came to.",
            call -> context.node().ledger().receipt(new TransactionHash(call.get(HASH)))));
  }

  private CompletionStage<Optional<Block>> block(long number) {
    if (number > context.node().blockHeight().value()) {
      return completedFuture(Optional.empty());
    }
    return context
        .node()
        .ledger()
        .blocks(new BlockHeight(number), 1)
        .thenApply(
            blocks ->
                blocks.stream().filter(block -> block.height().value() == number).findFirst());
  }
}
