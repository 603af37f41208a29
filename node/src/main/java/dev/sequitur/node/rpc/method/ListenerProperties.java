package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.json.Shape;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.port.NodeStore.Listener;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import java.util.Optional;

/**
 * What a receipt listener is to be told.
 *
 * @param sequenceAbove receipts up to this number are left out
 * @param domain the only domain wanted; empty for all
 */
public record ListenerProperties(long sequenceAbove, Optional<String> domain) {

  /** The {@code filters} as a caller reads them. */
  static final ObjectShape<ListenerProperties> FILTERS =
      ObjectShape.<ListenerProperties>named("ReceiptFilters")
          .maybe(
              "sequenceAbove",
              Shape.NUMBER,
              wanted -> Optional.of(wanted.sequenceAbove()).filter(above -> above > 0),
              "receipts up to it are left out")
          .maybe("domain", Formats.NAME, ListenerProperties::domain, "the only one wanted");

  /** Reads {@code {filters: {sequenceAbove?, type?, domain?}}}. */
  static ListenerProperties read(Fields listener) {
    var filters = listener.fields("filters");
    filters.ifPresent(ListenerProperties::refusePublic);
    return new ListenerProperties(
        filters.map(ListenerProperties::sequenceAbove).orElse(0L),
        filters.flatMap(fields -> fields.parsed("domain", Formats::name)));
  }

  private static void refusePublic(Fields filters) {
    if (filters.text("type").filter(type -> !type.equals("private")).isPresent()) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s must be \"private\": this node has receipts of private transactions only."
              .formatted(filters.pathOf("type")));
    }
  }

  private static long sequenceAbove(Fields filters) {
    var path = filters.pathOf("sequenceAbove");
    var value = filters.any("sequenceAbove").orElse(null);
    if (value == null) {
      return 0;
    }
    if (value.isTextual()) {
      return Fields.parse(path, value.textValue(), Formats::number);
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw Fields.wrongType(path, "a whole number that is not negative", value);
    }
    return value.longValue();
  }

  /** As it is stored with the listener: the same properties are always the same bytes. */
  Bytes toBytes() {
    return Bytes.of(JsonText.write(FILTERS.write(this)));
  }

  static ListenerProperties fromBytes(Bytes stored) {
    var filters = JsonText.parse(stored.toByteArray());
    return new ListenerProperties(
        filters.path("sequenceAbove").longValue(),
        Optional.ofNullable(filters.path("domain").textValue()));
  }

  /** Whether the listener is told of this receipt. */
  public boolean wants(NumberedReceipt receipt) {
    return receipt.sequence() > sequenceAbove
        && domain.map(only -> only.equals(receipt.receipt().domain())).orElse(true);
  }

  /** What a stored listener is to be told. */
  public static ListenerProperties of(Listener listener) {
    return fromBytes(listener.properties());
  }
}
