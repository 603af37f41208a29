package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import java.util.Map;

/** A message between members, in the shape that clients of the field know. */
record MessageRow(NumberedMessage numbered, PrivacyGroup group) {
  static final ObjectShape<MessageRow> MESSAGE =
      ObjectShape.<MessageRow>named("GroupMessage")
          .with("id", Formats.UUID, row -> row.message().id(), "the same on every node")
          .with(
              "localSequence",
              Shape.NUMBER,
              row -> row.numbered().sequence(),
              "in the order in which this node has kept them, without a gap")
          .with("sent", Formats.TIME, row -> row.content().sent(), "by the clock of `node`")
          .with("received", Formats.TIME, row -> row.numbered().at())
          .with("node", Formats.NODE, row -> row.message().from(), "that has sent it")
          .maybe("correlationId", Formats.UUID, row -> row.content().answers())
          .with("domain", Formats.TEXT, row -> row.group().domain())
          .with("group", Formats.HASH, row -> row.group().id().value())
          .with("topic", Formats.TEXT, row -> row.content().topic())
          .with("data", Shape.ANY, MessageRow::data);

  static final Map<String, QueryField<MessageRow>> FIELDS =
      QueryField.table(
          MESSAGE,
          "localSequence",
          "domain",
          "group",
          "sent",
          "received",
          "id",
          "correlationId",
          "node",
          "topic");

  GroupMessage message() {
    return numbered.message();
  }

  GroupMessage.Content content() {
    return message().content();
  }

  /** Another node's, which may have sent what is no JSON. */
  private JsonNode data() {
    return TransactionShapes.content(content().data());
  }

  /** About as many as it has in an answer. */
  long bytes() {
    return 500L + content().size();
  }
}
