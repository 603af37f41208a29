package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Field;
import dev.sequitur.node.rpc.json.Format;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.json.ObjectFormat;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Sent;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a receipt listener is to be told.
 *
 * @param sequenceAbove receipts up to this number are left out
 * @param type the only kind of transactions wanted, {@code private} or {@code public}; empty for
 *     both
 * @param domain the only domain wanted; empty for all
 */
record ReceiptFilters(long sequenceAbove, Optional<String> type, Optional<String> domain) {

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
              Formats.TEXT,
              ReceiptFilters::type,
              "`private` or `public`: of such transactions only")
          .maybe("domain", Formats.NAME, ReceiptFilters::domain, "the only one wanted");

  private static final Field<Long> SEQUENCE_ABOVE =
      Field.or("sequenceAbove", Formats.NUMBER, 0L, "receipts up to it are left out");
  private static final String TYPES = "\"private\" or \"public\"";
  private static final Field<String> TYPE =
      Field.optional(
          "type",
          Format.of(TYPES, Shape.words(TYPES, "private"), ReceiptFilters::readType),
          "receipts of such transactions only");
  private static final Field<String> DOMAIN =
      Field.optional("domain", Formats.NAME, "the only one wanted");

  /** What a caller sends as {@code filters}. */
  static final ObjectFormat SENT =
      ObjectFormat.of("ReceiptFiltersRequest", SEQUENCE_ABOVE, TYPE, DOMAIN).open();

  /** By {@link #SENT}. */
  static ReceiptFilters of(Sent filters) {
    return new ReceiptFilters(
        filters.get(SEQUENCE_ABOVE), filters.find(TYPE), filters.find(DOMAIN));
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
    return Bytes.of(JsonText.write(FILTERS.write(this)));
  }

  static ReceiptFilters fromBytes(Bytes stored) {
    var filters = JsonText.parse(stored.toByteArray());
    return new ReceiptFilters(
        filters.path("sequenceAbove").longValue(),
        Optional.ofNullable(filters.path("type").textValue()),
        Optional.ofNullable(filters.path("domain").textValue()));
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
