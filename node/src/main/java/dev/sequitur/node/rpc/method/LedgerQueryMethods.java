package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.Query;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.PublicContracts.Placed;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * {@code bidx_…} that look for blocks, their transactions and the events of contracts. The base
 * ledger is read as it is: there is no index but by height and by hash.
 */
record LedgerQueryMethods(NodeContext context) {
  private static final int PAGE = 100;

  /** Of events at once. */
  private static final long MOST_BLOCKS = 1_000;

  /**
   * A transaction of a block, or the block by itself, which counts as looked at.
   *
   * @param receipt empty if the row is the block
   */
  private record Row(Block block, Optional<LedgerReceipt> receipt) {
    static Stream<Row> of(Block block) {
      return Stream.concat(
          Stream.of(new Row(block, Optional.empty())),
          block.receipts().reversed().stream().map(it -> new Row(block, Optional.of(it))));
    }

    private long bytes() {
      return receipt.map(RowBytes::of).orElse(0L);
    }
  }

  /**
   * What a contract told.
   *
   * @param meant what it says by the ABI that was sent, if that has it
   */
  private record Told(Placed placed, Optional<ContractAbi.Told> meant) {
    private long bytes() {
      return RowBytes.of(placed);
    }

    private Optional<Bytes> signature() {
      return placed.event().topics().stream().findFirst();
    }
  }

  private static final Map<String, QueryField<Block>> BLOCK_FIELDS =
      QueryField.table(LedgerMethods.BLOCK, "hash", "number", "timestamp");

  private static final ObjectShape<Row> ROW =
      ObjectShape.<Row>named("LedgerRow").allIf(LedgerMethods.TRANSACTION, Row::receipt);

  private static final Map<String, QueryField<Row>> TRANSACTION_FIELDS =
      QueryField.table(
          List.of(
              QueryField.of(ROW, "hash"),
              QueryField.of(ROW, "blockNumber"),
              QueryField.of(ROW, "transactionIndex"),
              new QueryField<>(
                  "from", FieldKind.ID, row -> row.receipt().map(it -> it.signer().value())),
              QueryField.of(ROW, "to"),
              QueryField.of(ROW, "nonce"),
              QueryField.of(ROW, "contractAddress"),
              QueryField.of(ROW, "result")));

  private static final ObjectShape<Told> EVENT =
      ObjectShape.<Told>named("IndexedEvent")
          .with("blockNumber", Shape.NUMBER, told -> told.placed().block().value())
          .with("transactionIndex", Shape.NUMBER, told -> told.placed().index())
          .with("logIndex", Shape.NUMBER, told -> told.placed().event().index())
          .with("transactionHash", Formats.HASH, told -> told.placed().transaction().value())
          .maybe("signature", Formats.HEX, Told::signature, "the first topic, if there is one");

  private static final Map<String, QueryField<Told>> EVENT_FIELDS =
      QueryField.table(
          EVENT, "blockNumber", "transactionIndex", "transactionHash", "logIndex", "signature");

  private static final ObjectShape<Told> EVENT_WITH_DATA =
      ObjectShape.<Told>named("EventWithData")
          .all(EVENT, told -> told)
          .with("address", Formats.ADDRESS, told -> told.placed().event().contract(), "who told it")
          .maybe(
              "soliditySignature",
              Formats.TEXT,
              told -> told.meant().map(ContractAbi.Told::definition),
              "as Solidity declares it, if the ABI has it")
          .maybe(
              "data",
              Shape.ANY,
              told -> told.meant().map(ContractAbi.Told::values),
              "its values, if the ABI has it");

  /** An event with what it means, as it is answered and pushed. */
  static ObjectNode written(Placed placed, ContractAbi.Told meant) {
    return EVENT_WITH_DATA.write(new Told(placed, Optional.of(meant)));
  }

  private static final Field<Sent> BLOCKS = QueryReader.field("BlockQuery", BLOCK_FIELDS);
  private static final Field<Sent> TRANSACTIONS =
      QueryReader.field("LedgerTransactionQuery", TRANSACTION_FIELDS);
  private static final Field<Sent> EVENTS = QueryReader.field("EventQuery", EVENT_FIELDS);
  private static final Field<ContractAddress> FROM =
      Field.of("from", Formats.ADDRESS, "who signed it");
  private static final Field<Long> NONCE = Field.of("nonce", Formats.NUMBER, "of that signer");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "bidx_getBlockTransactionsByNumber",
            List.of(LedgerMethods.NUMBER),
            LedgerMethods.TRANSACTION.list(),
            "an array of base-ledger transactions",
            "The transactions of a final block in their order; none if there is no such block.",
            call ->
                blockAt(call.get(LedgerMethods.NUMBER))
                    .thenApply(LedgerQueryMethods::transactions)),
        RpcMethod.reading(
            "bidx_getTransactionByNonce",
            List.of(FROM, NONCE),
            LedgerMethods.TRANSACTION.orNull(),
            "the base-ledger transaction, or null",
            "The transaction of a final block that has used a nonce. Found at once on the embedded"
                + " ledger, on a chain whose node has the states of old blocks, and if it is a public"
                + " one of this node; else by looking back from the newest block, and an old one may be beyond what a call may"
                + " look at.",
            this::byNonce),
        RpcMethod.reading(
            "bidx_getTransactionEventsByHash",
            List.of(LedgerMethods.HASH),
            EVENT.list(),
            "an array of events",
            "What contracts told as a base-ledger transaction was carried out; nothing, if the ledger"
                + " runs no contracts.",
            call ->
                told(new TransactionHash(call.get(LedgerMethods.HASH)), event -> Optional.empty())),
        RpcMethod.reading(
            "bidx_decodeTransactionEvents",
            List.of(LedgerMethods.HASH, AbiFormats.ABI, AbiFormats.RESULT_FORMAT),
            EVENT_WITH_DATA.list(),
            "an array of events",
            "The same with what they mean by an ABI.",
            call -> told(new TransactionHash(call.get(LedgerMethods.HASH)), meaning(call))),
        RpcMethod.reading(
            "bidx_queryIndexedBlocks",
            List.of(BLOCKS),
            LedgerMethods.BLOCK.list(),
            "an array of `{number, hash, timestamp}`",
            "Final blocks, newest first unless sorted otherwise. A bound on `number` from below ends"
                + " the search there.",
            this::blocks),
        RpcMethod.reading(
            "bidx_queryIndexedTransactions",
            List.of(TRANSACTIONS),
            LedgerMethods.TRANSACTION.list(),
            "an array of base-ledger transactions",
            "Transactions of final blocks, newest first unless sorted otherwise. An `eq` on `hash` or"
                + " `blockNumber` leads straight to them, a bound on `blockNumber` from below ends"
                + " the search there.",
            this::transactions),
        RpcMethod.reading(
            "bidx_queryIndexedEvents",
            List.of(EVENTS),
            EVENT.list(),
            "an array of events",
            "What contracts told in final blocks, newest first unless sorted otherwise. An `eq` on"
                + " `transactionHash` leads straight to it; else bounds on `blockNumber` say where to"
                + " look, and an `eq` on `signature` spares the rest.",
            this::events));
  }

  private static List<LedgerReceipt> transactions(List<Block> block) {
    return block.stream().flatMap(it -> it.receipts().stream()).toList();
  }

  private CompletionStage<List<Block>> blockAt(long number) {
    if (number > context.node().blockHeight().value()) {
      return completedFuture(List.of());
    }
    return ledger()
        .blocks(new BlockHeight(number), 1)
        .thenApply(
            blocks -> blocks.stream().filter(block -> block.height().value() == number).toList());
  }

  private CompletionStage<List<Block>> blocks(Call call) {
    var query = context.query(call.get(BLOCKS), BLOCK_FIELDS);
    return source(query, "number")
        .thenCompose(
            blocks ->
                context.scan(call, blocks, query, query.isOrderedBy("number", true), RowBytes::of));
  }

  private CompletionStage<List<LedgerReceipt>> transactions(Call call) {
    var query = context.query(call.get(TRANSACTIONS), TRANSACTION_FIELDS);
    return rows(query)
        .thenCompose(
            rows ->
                context.scan(
                    call,
                    rows,
                    query,
                    row -> row.receipt().isPresent(),
                    query.isOrderedBy("blockNumber", true),
                    Row::bytes))
        .thenApply(LedgerQueryMethods::receipts);
  }

  private CompletionStage<Optional<LedgerReceipt>> byNonce(Call call) {
    var used = new Receipt.Nonce(new LedgerAddress(call.get(FROM).value()), call.get(NONCE));
    return own(used)
        .thenCompose(
            found ->
                found.isPresent()
                    ? completedFuture(found)
                    : ledger()
                        .contracts()
                        .map(contracts -> counted(contracts, used))
                        .or(() -> ledger().nonces().map(index -> sought(index, used)))
                        .orElseGet(() -> walked(used, newest())));
  }

  /** A public transaction of this node, which its store finds. */
  private CompletionStage<Optional<LedgerReceipt>> own(Receipt.Nonce used) {
    var store = context.store();
    return store
        .publicByNonce(used)
        .thenCompose(id -> id.map(store::receipt).orElse(completedFuture(Optional.empty())))
        .thenCompose(
            receipt ->
                receipt
                    .flatMap(it -> it.receipt().onLedger())
                    .map(place -> ledger().receipt(place.hash()))
                    .orElse(completedFuture(Optional.empty())));
  }

  /** What was stored before there was an index is looked for block by block. */
  private CompletionStage<Optional<LedgerReceipt>> sought(
      BaseLedger.NonceIndex index, Receipt.Nonce used) {
    return index
        .receipt(used)
        .thenCompose(
            found ->
                found.isPresent()
                    ? completedFuture(found.filter(it -> it.block().value() <= newest()))
                    : ledger()
                        .nonce(used.signer())
                        .thenCompose(
                            next ->
                                next <= used.number()
                                    ? completedFuture(Optional.<LedgerReceipt>empty())
                                    : walked(used, newest())));
  }

  /** The chain counts the transactions of each signer: halving finds the block. */
  private CompletionStage<Optional<LedgerReceipt>> counted(
      PublicContracts contracts, Receipt.Nonce used) {
    return contracts
        .nonce(used.signer(), new BlockHeight(newest()))
        .thenCompose(
            next ->
                next <= used.number()
                    ? completedFuture(Optional.<LedgerReceipt>empty())
                    : ledger()
                        .firstBlock()
                        .thenCompose(
                            first -> halved(contracts, used, first.value() - 1, newest())));
  }

  /**
   * @param before it was not used in this block, nor in one before
   * @param by it was used in this block or in one before
   */
  private CompletionStage<Optional<LedgerReceipt>> halved(
      PublicContracts contracts, Receipt.Nonce used, long before, long by) {
    if (by - before <= 1) {
      return blockAt(by)
          .thenApply(
              block -> transactions(block).stream().filter(it -> hasUsed(it, used)).findFirst());
    }
    long middle = before + (by - before) / 2;
    return contracts
        .nonce(used.signer(), new BlockHeight(middle))
        .thenApply(next -> Optional.of(next > used.number()))
        // Chains' nodes forget the states of old blocks.
        .exceptionally(forgotten -> Optional.empty())
        .thenCompose(
            known ->
                known
                    .map(
                        isUsed ->
                            isUsed
                                ? halved(contracts, used, before, middle)
                                : halved(contracts, used, middle, by))
                    .orElseGet(() -> walked(used, by)));
  }

  private CompletionStage<Optional<LedgerReceipt>> walked(Receipt.Nonce used, long last) {
    return ledger()
        .firstBlock()
        .thenCompose(
            first ->
                context.first(
                    rows(backwards(new Range(first.value(), last))),
                    row -> row.receipt().filter(it -> hasUsed(it, used)).isPresent()))
        .thenApply(found -> receipts(found).stream().findFirst());
  }

  private static boolean hasUsed(LedgerReceipt receipt, Receipt.Nonce used) {
    return receipt.signer().equals(used.signer()) && receipt.nonce() == used.number();
  }

  private long newest() {
    return context.node().blockHeight().value();
  }

  private static List<LedgerReceipt> receipts(List<Row> rows) {
    return rows.stream().flatMap(row -> row.receipt().stream()).toList();
  }

  private CompletionStage<RowSource<Row>> rows(Query<Row> query) {
    var hash = query.only("hash").flatMap(LedgerQueryMethods::hash);
    if (hash.isPresent()) {
      return ledger()
          .receipt(hash.get())
          .thenCompose(
              found ->
                  found.isEmpty()
                      ? completedFuture(List.<Block>of())
                      : blockAt(found.get().block().value()))
          .thenApply(blocks -> RowSource.once(blocks.stream().flatMap(Row::of).toList()));
    }
    return source(query, "blockNumber").thenApply(LedgerQueryMethods::rows);
  }

  private static RowSource<Row> rows(RowSource<Block> blocks) {
    return () -> blocks.next().thenApply(page -> page.stream().flatMap(Row::of).toList());
  }

  /** What is no hash is that of no transaction, which a scan finds out too. */
  private static Optional<TransactionHash> hash(Comparable<?> text) {
    try {
      return Optional.of(new TransactionHash(Formats.hash((String) text)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Final blocks from the newest down, as far as the query needs them. */
  private CompletionStage<RowSource<Block>> source(Query<?> query, String number) {
    return ledger().firstBlock().thenApply(first -> backwards(range(first.value(), query, number)));
  }

  /** Final blocks that a query may mean; empty if the first is behind the last. */
  private record Range(long first, long last) {}

  private Range range(long lowest, Query<?> query, String number) {
    return new Range(
        Math.max(lowest, query.atLeast(number).orElse(0L)),
        Math.min(
            context.node().blockHeight().value(), query.atMost(number).orElse(Long.MAX_VALUE)));
  }

  private RowSource<Block> backwards(Range range) {
    return RowSource.backwards(
        range.first(),
        range.last(),
        PAGE,
        (from, count) -> ledger().blocks(new BlockHeight(from), count));
  }

  private CompletionStage<List<Told>> events(Call call) {
    var query = context.query(call.get(EVENTS), EVENT_FIELDS);
    var contracts = ledger().contracts();
    if (contracts.isEmpty()) {
      return completedFuture(List.of());
    }
    var only = query.only("transactionHash");
    if (only.isPresent()) {
      var hash = hash(only.get());
      return hash.isEmpty()
          ? completedFuture(List.of())
          : told(hash.get(), event -> Optional.empty())
              .thenCompose(
                  told ->
                      context.scan(
                          call,
                          RowSource.once(told),
                          query,
                          query.isOrderedBy("logIndex", false),
                          Told::bytes));
    }
    return ledger()
        .firstBlock()
        .thenCompose(
            first ->
                context.scan(
                    call,
                    eventsBackwards(
                        contracts.get(), query, range(first.value(), query, "blockNumber")),
                    query,
                    query.isOrderedBy("blockNumber", true),
                    Told::bytes));
  }

  /** The events of some blocks, from this one on. */
  private record Looked(long first, List<Placed> found) {}

  /** Those of the newest block first, which the chain finds by its own index. */
  private RowSource<Told> eventsBackwards(
      PublicContracts contracts, Query<Told> query, Range range) {
    var signature = query.only("signature").map(it -> signature((String) it));
    if (signature.filter(Optional::isEmpty).isPresent()) {
      return RowSource.once(List.of());
    }
    var signatures = signature.flatMap(it -> it).map(Set::of).orElse(Set.of());
    return new RowSource<>() {
      private long top = range.last();
      private long blocks = MOST_BLOCKS;

      @Override
      public CompletionStage<List<Told>> next() {
        if (top < range.first()) {
          return completedFuture(List.of());
        }
        if (range.last() - top >= context.settings().limits().queryScan()) {
          throw new RpcFailure(
              ErrorCode.QUERY_TOO_BROAD,
              "The query looked for events in %d blocks and was not done. Bound blockNumber from below and from above, or send an eq on transactionHash."
                  .formatted(range.last() - top));
        }
        return ask(top)
            .thenCompose(
                looked -> {
                  top = looked.first() - 1;
                  // An empty page would be the end.
                  return looked.found().isEmpty()
                      ? next()
                      : completedFuture(
                          looked.found().reversed().stream()
                              .map(placed -> new Told(placed, Optional.empty()))
                              .toList());
                });
      }

      /** Of fewer blocks if the chain does not tell of so many. */
      private CompletionStage<Looked> ask(long to) {
        long from = Math.max(range.first(), to - blocks + 1);
        return contracts
            .events(
                new PublicContracts.Wanted(
                    new BlockHeight(from), new BlockHeight(to), Set.of(), signatures))
            .thenApply(found -> new Looked(from, found))
            .exceptionallyCompose(
                failure -> {
                  if (from == to) {
                    return CompletableFuture.failedFuture(failure);
                  }
                  blocks = (to - from + 1) / 2;
                  return ask(to);
                });
      }
    };
  }

  /** What is no first topic is that of no event. */
  private static Optional<Bytes> signature(String text) {
    try {
      return Optional.of(Bytes.of(Formats.hash(text).toByteArray()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Function<PublicContracts.Event, Optional<ContractAbi.Told>> meaning(Call call) {
    var abi = AbiFormats.read(call, AbiFormats.ABI);
    var format = AbiFormats.of(call.get(AbiFormats.RESULT_FORMAT));
    return event -> abi.event(event.topics(), event.data(), format);
  }

  private CompletionStage<List<Told>> told(
      TransactionHash hash, Function<PublicContracts.Event, Optional<ContractAbi.Told>> meant) {
    var contracts = ledger().contracts();
    if (contracts.isEmpty()) {
      return completedFuture(List.of());
    }
    return ledger()
        .receipt(hash)
        .thenCompose(
            found ->
                found.isPresent()
                    ? completedFuture(found.map(LedgerReceipt::onLedger))
                    : placeOfOwn(hash))
        .thenCompose(
            found ->
                found.isEmpty()
                    ? completedFuture(List.<Told>of())
                    : contracts
                        .get()
                        .events(hash, found.get().block())
                        .thenApply(all -> told(found.get(), all, meant)));
  }

  /** A chain forgets by which hash an old transaction is found; this node's own are here. */
  private CompletionStage<Optional<OnLedger>> placeOfOwn(TransactionHash hash) {
    var store = context.store();
    return store
        .publicByHash(hash)
        .thenCompose(id -> Answers.ifThere(id, store::receipt))
        .thenApply(found -> found.flatMap(it -> it).flatMap(it -> it.receipt().onLedger()));
  }

  private static List<Told> told(
      OnLedger at,
      List<PublicContracts.Event> events,
      Function<PublicContracts.Event, Optional<ContractAbi.Told>> meant) {
    return events.stream()
        .map(
            event ->
                new Told(new Placed(at.block(), at.index(), at.hash(), event), meant.apply(event)))
        .toList();
  }

  private BaseLedger ledger() {
    return context.node().ledger();
  }
}
