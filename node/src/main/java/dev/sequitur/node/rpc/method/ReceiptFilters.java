package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a receipt listener is to be told.
 *
 * @param sequenceAbove receipts up to this number are left out
 * @param type the only kind of transactions wanted, {@code private} or {@code public}; empty for
 *     both
 * @param domain the only domain wanted; empty for all
 * @param domainReceipts whether those of private transactions come with their states and with what
 *     their domain says
 * @param completeOnly whether those of which this node lacks contents come once it has them
 */
record ReceiptFilters(
    long sequenceAbove,
    Optional<String> type,
    Optional<String> domain,
    boolean domainReceipts,
    boolean completeOnly) {

  private static final String COMPLETE_ONLY = "complete_only";

  /** The {@code filters} as a caller reads them. */
  static final ObjectShape<ReceiptFilters> FILTERS =
      ObjectShape.<ReceiptFilters>named("ReceiptFilters")
          .maybe(
              "sequenceAbove",
              Shape.NUMBER,
              wanted -> Optional.of(wanted.sequenceAbove()).filter(above -> above > 0),
              "receipts up to it are left out")
          .maybe(
              "type",
              TransactionKind.WORD,
              ReceiptFilters::type,
              "`private` or `public`: of such transactions only")
          .maybe("domain", Formats.NAME, ReceiptFilters::domain, "the only one wanted");

  /** The {@code options} as a caller reads them. */
  static final ObjectShape<ReceiptFilters> OPTIONS =
      ObjectShape.<ReceiptFilters>named("ReceiptOptions")
          .maybe(
              "domainReceipts",
              Formats.BOOLEAN,
              wanted -> Optional.of(wanted.domainReceipts()).filter(Boolean::booleanValue),
              "those of private transactions come as ptx_getTransactionReceiptFull answers")
          .maybe(
              "incompleteStateReceiptBehavior",
              Shape.among(List.of(COMPLETE_ONLY)),
              wanted -> Optional.of(COMPLETE_ONLY).filter(any -> wanted.completeOnly()),
              "`complete_only`: those of which this node lacks contents come once it has them");

  private static final Field<Long> SEQUENCE_ABOVE =
      Field.or("sequenceAbove", Formats.NUMBER, 0L, "receipts up to it are left out");
  private static final String TYPES = "\"private\" or \"public\"";
  private static final Field<String> TYPE =
      Field.optional(
          "type",
          Format.of(TYPES, TransactionKind.WORD, ReceiptFilters::readType),
          "receipts of such transactions only");
  private static final Field<String> DOMAIN =
      Field.optional("domain", Formats.NAME, "the only one wanted");

  private static final ObjectFormat SENT_FILTERS =
      ObjectFormat.of("ReceiptFiltersRequest", SEQUENCE_ABOVE, TYPE, DOMAIN).open();
  private static final Field<Boolean> DOMAIN_RECEIPTS =
      Field.or(
          "domainReceipts",
          Formats.BOOLEAN,
          false,
          "whether those of private transactions come as ptx_getTransactionReceiptFull answers");
  private static final String PROCESS = "process";
  private static final String BLOCK_CONTRACT = "block_contract";
  private static final String BEHAVIOURS = "\"process\", \"complete_only\" or \"block_contract\"";
  private static final Field<String> INCOMPLETE =
      Field.or(
          "incompleteStateReceiptBehavior",
          Format.of(
              BEHAVIOURS,
              Shape.among(List.of(PROCESS, COMPLETE_ONLY, BLOCK_CONTRACT)),
              ReceiptFilters::readBehaviour),
          PROCESS,
          "complete_only holds back those of which this node lacks contents, up to %d, until it has"
                  .formatted(HeldBack.MOST)
              + " them; of more it gives up the oldest whose contents may be for others, and waits if"
              + " there is none; block_contract holds nothing back here, and is the same as process");
  private static final ObjectFormat SENT_OPTIONS =
      ObjectFormat.of("ReceiptOptionsRequest", DOMAIN_RECEIPTS, INCOMPLETE).open();

  /** Of a new listener. */
  static final Field<Sent> SENT =
      Field.or("filters", SENT_FILTERS, SENT_FILTERS.empty("filters"), "what it is to be told");

  /** Of a new listener. */
  static final Field<Sent> OPTED =
      Field.or("options", SENT_OPTIONS, SENT_OPTIONS.empty("options"), "how it is to be told");

  /** By {@link #SENT} and {@link #OPTED}. */
  static ReceiptFilters of(Sent listener) {
    var filters = listener.get(SENT);
    return new ReceiptFilters(
        filters.get(SEQUENCE_ABOVE),
        filters.find(TYPE),
        filters.find(DOMAIN),
        listener.get(OPTED).get(DOMAIN_RECEIPTS),
        listener.get(OPTED).get(INCOMPLETE).equals(COMPLETE_ONLY));
  }

  private static String readBehaviour(String path, JsonNode node) {
    var behaviour = Formats.TEXT.read(path, node);
    if (!List.of(PROCESS, COMPLETE_ONLY, BLOCK_CONTRACT).contains(behaviour)) {
      throw new RpcFailure(ErrorCode.UNSUPPORTED, "%s must be %s.".formatted(path, BEHAVIOURS));
    }
    return behaviour;
  }

  private static String readType(String path, JsonNode node) {
    var type = Formats.TEXT.read(path, node);
    if (Stream.of(TransactionKind.values()).noneMatch(kind -> kind.word().equals(type))) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s must be %s: there are no other transactions. Leave it out for both."
              .formatted(path, TYPES));
    }
    return type;
  }

  /** As it is stored with the listener: the same properties are always the same bytes. */
  Bytes toBytes() {
    var json = FILTERS.write(this);
    json.set("options", OPTIONS.write(this));
    return Bytes.of(JsonText.write(json));
  }

  static ReceiptFilters fromBytes(Bytes stored) {
    var filters = JsonText.parse(stored.toByteArray());
    return new ReceiptFilters(
        filters.path("sequenceAbove").longValue(),
        Optional.ofNullable(filters.path("type").textValue()),
        Optional.ofNullable(filters.path("domain").textValue()),
        filters.path("options").path("domainReceipts").booleanValue(),
        filters.path("options").has("incompleteStateReceiptBehavior"));
  }

  /** Whether the listener is told of this receipt. */
  boolean wants(NumberedReceipt receipt) {
    return receipt.sequence() > sequenceAbove
        && type.map(only -> only.equals(type(receipt))).orElse(true)
        && domain.map(only -> only.equals(receipt.receipt().domain())).orElse(true);
  }

  private static String type(NumberedReceipt receipt) {
    return (receipt.receipt().isPublic() ? TransactionKind.PUBLIC : TransactionKind.PRIVATE).word();
  }

  /** What a stored listener is to be told. */
  static ReceiptFilters of(Listener listener) {
    return fromBytes(listener.properties());
  }
}
