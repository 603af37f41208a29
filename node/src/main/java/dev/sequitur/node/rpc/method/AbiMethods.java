package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.ethereum.ContractAbi.Meaning;
import dev.sequitur.ethereum.ValueFormat;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.Query;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.AbiKey;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Descriptions of contracts that callers leave with the node, and what calls, events and errors
 * mean by them.
 */
final class AbiMethods {
  /** So that all of them may be looked into in one call. */
  private static final int MOST_BYTES = 64 * 1024;

  /** So many are in memory at once. */
  private static final int AT_ONCE = 8;

  private static final ObjectShape<StoredAbi> STORED =
      ObjectShape.<StoredAbi>named("StoredAbi")
          .with("hash", Formats.HASH, StoredAbi::hash)
          .with("abi", Shape.ANY, abi -> JsonText.parse(abi.json().toByteArray()));

  private static final ObjectShape<Meaning> MEANING =
      ObjectShape.<Meaning>named("DecodedData")
          .with(
              "data",
              Shape.ANY,
              Meaning::values,
              "by name unless `dataFormat` says otherwise; what has none is called by its place")
          .maybe(
              "summary",
              Formats.TEXT,
              meaning -> Optional.of(meaning.sentence()).filter(it -> !it.isEmpty()),
              "for people; not of an event")
          .with("definition", Shape.ANY, Meaning::entry, "what describes it in the ABI")
          .with("signature", Formats.TEXT, Meaning::signature);

  private static final Map<String, QueryField<AbiKey>> FIELDS =
      QueryField.table(
          List.of(
              QueryField.of("hash", FieldKind.ID, abi -> abi.hash().toString()),
              QueryField.of("created", FieldKind.TIME, AbiKey::created)));

  private static final Field<Sent> QUERY = QueryReader.field("AbiQuery", FIELDS);
  private static final Field<Hash> HASH =
      Field.of("hash", Formats.HASH, "as ptx_storeABI answered")
          .mentions(Field.Mention.DESCRIPTION);
  private static final Field<Bytes> CALL =
      Field.of("callData", Formats.HEX, "the selector and the parameters");
  private static final Field<Bytes> ERROR =
      Field.of("revertData", Formats.HEX, "what a contract said as it reverted");
  private static final Field<List<Hash>> TOPICS =
      Field.of("topics", Formats.HASH.list(4), "the first is the event's signature");
  private static final Field<Bytes> DATA = Field.of("data", Formats.HEX, "what is not in topics");

  private final NodeContext context;

  private final ReadAbis read = new ReadAbis();

  AbiMethods(NodeContext context) {
    this.context = context;
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.submitting(
            "ptx_storeABI",
            List.of(AbiFormats.ABI),
            Formats.HASH,
            "its hash",
            "Leaves the description of a contract with the node, by which it says what calls, events"
                + " and errors mean. It is its caller's. The same again changes nothing. A caller has"
                + " %d, a node keeps %d, of 64 KiB each."
                    .formatted(NodeStore.MOST_ABIS_OF_OWNER, NodeStore.MOST_ABIS),
            this::store),
        RpcMethod.submitting(
            "ptx_deleteStoredABI",
            List.of(HASH),
            Formats.BOOLEAN,
            "whether there was one",
            "Deletes a description that the caller has left with the node.",
            call -> context.store().deleteAbi(owner(call), call.get(HASH))),
        RpcMethod.reading(
            "ptx_getStoredABI",
            List.of(HASH),
            STORED.orNull(),
            "`{hash, abi}`, or null",
            "A description that the caller has left with the node.",
            call -> context.store().abi(owner(call), call.get(HASH))),
        RpcMethod.reading(
            "ptx_queryStoredABIs",
            List.of(QUERY),
            STORED.list(),
            "an array of `{hash, abi}`",
            "Descriptions that the caller has left with the node, newest first unless sorted"
                + " otherwise.",
            this::queried),
        RpcMethod.reading(
            "ptx_decodeCall",
            List.of(CALL, AbiFormats.DATA_FORMAT),
            MEANING,
            "`{data, summary, definition, signature}`",
            "What the data of a call means by the descriptions that were left with the node, the"
                + " caller's own first.",
            call -> first(call, (abi, format) -> abi.readCall(call.get(CALL), format))),
        RpcMethod.reading(
            "ptx_decodeEvent",
            List.of(TOPICS, DATA, AbiFormats.DATA_FORMAT),
            MEANING,
            "`{data, definition, signature}`",
            "What an event of a contract means by the descriptions that were left with the node,"
                + " the caller's own first.",
            call ->
                first(call, (abi, format) -> abi.readEvent(topics(call), call.get(DATA), format))),
        RpcMethod.reading(
            "ptx_decodeError",
            List.of(ERROR, AbiFormats.DATA_FORMAT),
            MEANING,
            "`{data, summary, definition, signature}`",
            "What a contract meant as it reverted: Solidity's own errors, and those of the"
                + " descriptions that were left with the node, the caller's own first.",
            call -> first(call, (abi, format) -> abi.readError(call.get(ERROR), format))));
  }

  private static String owner(Call call) {
    return AbiReferences.owner(call.exchange().caller());
  }

  private static List<AbiKey> own(Call call, List<AbiKey> all) {
    return all.stream().filter(abi -> abi.owner().equals(owner(call))).toList();
  }

  /** The newest of the caller first, then the newest of others. */
  private static Stream<AbiKey> ownFirst(Call call, List<AbiKey> all) {
    return Stream.concat(
        own(call, all).stream(), all.stream().filter(abi -> !abi.owner().equals(owner(call))));
  }

  /** Which, by their keys alone; then these, as long as there is room for them in the answer. */
  private CompletionStage<List<StoredAbi>> queried(Call call) {
    return context
        .store()
        .abiKeys()
        .thenCompose(all -> context.rows(call, call.get(QUERY), FIELDS, own(call, all)))
        .thenCompose(
            found -> {
              var left = new ArrayDeque<>(found);
              return context.scan(
                  call, () -> next(left), Query.any(found.size()), true, RowBytes::of);
            });
  }

  /** The next that are still there; none once none is left. */
  private CompletionStage<List<StoredAbi>> next(Queue<AbiKey> left) {
    if (left.isEmpty()) {
      return completedFuture(List.of());
    }
    return Answers.all(some(left).stream().map(this::stored).toList())
        .thenApply(found -> found.stream().flatMap(Optional::stream).toList())
        .thenCompose(found -> found.isEmpty() ? next(left) : completedFuture(found));
  }

  private CompletionStage<Optional<StoredAbi>> stored(AbiKey key) {
    return context.store().abi(key.owner(), key.hash());
  }

  private static List<AbiKey> some(Queue<AbiKey> left) {
    var some = new ArrayList<AbiKey>(AT_ONCE);
    while (some.size() < AT_ONCE && !left.isEmpty()) {
      some.add(left.poll());
    }
    return some;
  }

  private static List<Bytes> topics(Call call) {
    return call.get(TOPICS).stream().map(topic -> Bytes.of(topic.toByteArray())).toList();
  }

  private CompletionStage<Hash> store(Call call) {
    AbiFormats.read(call, AbiFormats.ABI);
    JsonNode sent = call.get(AbiFormats.ABI);
    var json = Bytes.of(JsonText.write(sent));
    if (json.size() > MOST_BYTES) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s has %d bytes; a node keeps descriptions of at most %d. Leave out what is not called."
              .formatted(call.path(AbiFormats.ABI), json.size(), MOST_BYTES));
    }
    var abi = new StoredAbi(owner(call), AbiReferences.hash(sent), context.clock().instant(), json);
    return context
        .store()
        .putAbi(abi)
        .thenApply(
            stored -> {
              if (!stored) {
                throw new RpcFailure(
                    ErrorCode.UNSUPPORTED,
                    "A caller has %d descriptions of contracts, a node keeps %d, and there is no room for another. Delete one that nobody needs with ptx_deleteStoredABI."
                        .formatted(NodeStore.MOST_ABIS_OF_OWNER, NodeStore.MOST_ABIS));
              }
              return abi.hash();
            });
  }

  private CompletionStage<Meaning> first(
      Call call, BiFunction<ContractAbi, ValueFormat, Optional<Meaning>> by) {
    var format = AbiFormats.of(call.get(AbiFormats.DATA_FORMAT));
    var always = by.apply(ContractAbi.solidity(), format);
    if (always.isPresent()) {
      return completedFuture(always.get());
    }
    return context
        .store()
        .abiKeys()
        .thenCompose(
            all ->
                first(new ArrayDeque<>(ownFirst(call, all).toList()), abi -> by.apply(abi, format)))
        .thenApply(
            found ->
                found.orElseThrow(
                    () ->
                        new RpcFailure(
                            ErrorCode.UNKNOWN_ABI,
                            "No description that was left with this node has it. Leave one with ptx_storeABI.")));
  }

  private CompletionStage<Optional<Meaning>> first(
      Queue<AbiKey> left, Function<ContractAbi, Optional<Meaning>> by) {
    if (left.isEmpty()) {
      return completedFuture(Optional.empty());
    }
    return Answers.all(some(left).stream().map(this::readable).toList())
        .thenCompose(
            abis -> {
              var found =
                  abis.stream()
                      .flatMap(Optional::stream)
                      .flatMap(abi -> by.apply(abi).stream())
                      .findFirst();
              return found.isPresent() ? completedFuture(found) : first(left, by);
            });
  }

  private CompletionStage<Optional<ContractAbi>> readable(AbiKey key) {
    var known = read.known(key.hash());
    return known.isPresent()
        ? completedFuture(known)
        : stored(key).thenApply(found -> found.map(read::read));
  }
}
