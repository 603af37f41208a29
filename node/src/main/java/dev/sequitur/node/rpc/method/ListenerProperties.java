package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.JsonText;
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
    return Bytes.of(JsonText.write(filters()));
  }

  static ListenerProperties fromBytes(Bytes stored) {
    var filters = JsonText.parse(stored.toByteArray());
    return new ListenerProperties(
        filters.path("sequenceAbove").longValue(),
        Optional.ofNullable(filters.path("domain").textValue()));
  }

  /** The {@code filters} as a caller reads them. */
  ObjectNode filters() {
    var filters = JsonText.object();
    if (sequenceAbove > 0) {
      filters.put("sequenceAbove", sequenceAbove);
    }
    domain.ifPresent(only -> filters.put("domain", only));
    return filters;
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
