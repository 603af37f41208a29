package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What members of a group tell each other: sent, found and asked for. */
record GroupMessageMethods(NodeContext context) {
  private static final Format<GroupMessageId> ID_FORMAT =
      Format.of(
          Formats.TRANSACTION_ID.type(),
          "6f1c6f0e-0000-4000-8000-000000000001",
          text -> new GroupMessageId(TransactionId.parse(text).value()));

  private static final Field<String> DOMAIN = Field.of("domain", Formats.TEXT, "the group's");
  static final Field<Hash> GROUP =
      Field.of("group", Formats.HASH, "the group's id").mentions(Field.Mention.GROUP);
  private static final Field<String> TOPIC =
      Field.of("topic", Formats.NAME, "by which its receivers tell what it is about");
  private static final Field<JsonNode> DATA =
      Field.or(
          "data",
          Formats.ANY,
          NullNode.instance,
          "at most %d bytes".formatted(GroupMessage.Content.MOST_BYTES));
  private static final Field<GroupMessageId> CORRELATION =
      Field.optional("correlationId", ID_FORMAT, "of the message that it answers");
  private static final Field<Sent> MESSAGE =
      Field.of(
          "message",
          ObjectFormat.of("GroupMessageRequest", DOMAIN, GROUP, TOPIC, DATA, CORRELATION).open(),
          "the message");
  private static final Field<GroupMessageId> ID =
      Field.of("id", ID_FORMAT, "the message's id, a UUID");
  private static final Field<Sent> QUERY =
      QueryReader.field("GroupMessageQuery", MessageRow.FIELDS);

  private static final int PAGE = 200;

  /** Of the data that one query answers, as far as it is bounded by more than its limit. */
  private static final int MOST_BYTES = 8 * GroupMessages.MOST_BYTES;

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.submitting(
            "pgroup_sendMessage",
            List.of(MESSAGE),
            Formats.UUID,
            "the message's id, a UUID",
            "Tells the nodes of all other members of a group something. It is kept here and on each of"
                + " them, once and in the order in which this node has sent its messages in the group,"
                + " as soon as that node can be reached. While too many wait for one of them, the call"
                + " is refused. A node keeps all of its own, and of each other node in a group the newest"
                + " (`sequencer.limits.messages-kept`).",
            call -> send(call.get(MESSAGE))),
        RpcMethod.reading(
            "pgroup_getMessageById",
            List.of(ID),
            MessageRow.MESSAGE.orNull(),
            "the message, or null",
            "A message that this node has sent or received.",
            call -> context.store().message(call.get(ID)).thenCompose(found -> seen(call, found))),
        RpcMethod.reading(
            "pgroup_queryMessages",
            List.of(QUERY),
            MessageRow.MESSAGE.list(),
            "an array of messages",
            "Messages that this node has sent or received, of groups that the caller may see, the last"
                + " first unless sorted otherwise.",
            call -> query(call, call.get(QUERY))));
  }

  private CompletionStage<GroupMessageId> send(Sent sent) {
    var data = Bytes.of(JsonText.write(sent.get(DATA)));
    try {
      GroupMessage.Content.check(sent.get(TOPIC), data);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, e.getMessage());
    }
    return GroupTransactionMethods.contract(context, sent.get(DOMAIN), sent.get(GROUP))
        .thenCompose(
            contract ->
                context.node().sendMessage(contract, sent.find(CORRELATION), sent.get(TOPIC), data))
        .thenApply(GroupMessageMethods::sent);
  }

  private static GroupMessageId sent(MessageBook.Outcome outcome) {
    return switch (outcome) {
      case MessageBook.Outcome.Sent(var id) -> id;
      case MessageBook.Outcome.TooMany(var slow) ->
          throw new RpcFailure(
              ErrorCode.TOO_MANY_MESSAGES,
              "%d messages wait for %s, which does not take them. Send again when it does."
                  .formatted(MessageBook.MOST_WAITING, slow));
    };
  }

  private CompletionStage<Optional<MessageRow>> seen(Call call, Optional<NumberedMessage> found) {
    return rows(found.stream().toList())
        .thenApply(rows -> rows.stream().filter(row -> isSeen(call, row)).findFirst());
  }

  private static boolean isSeen(Call call, MessageRow row) {
    return call.sees(row.group().contract());
  }

  private CompletionStage<List<MessageRow>> query(Call call, Sent sent) {
    var query = context.query(sent, MessageRow.FIELDS);
    var id = query.only("id");
    if (id.isPresent()) {
      return byId((String) id.get())
          .thenCompose(
              found ->
                  context.scan(
                      call,
                      RowSource.once(found),
                      query,
                      row -> isSeen(call, row),
                      true,
                      MessageRow::bytes));
    }
    return context
        .scan(
            call,
            newest(),
            query,
            row -> isSeen(call, row),
            query.isOrderedBy("localSequence", true),
            MessageRow::bytes)
        .thenApply(GroupMessageMethods::checked);
  }

  private static List<MessageRow> checked(List<MessageRow> found) {
    if (found.stream().mapToLong(row -> row.content().size()).sum() > MOST_BYTES) {
      throw new RpcFailure(
          ErrorCode.QUERY_TOO_BROAD,
          "The messages have more than %d bytes together. Ask with a smaller limit."
              .formatted(MOST_BYTES));
    }
    return found;
  }

  private CompletionStage<List<MessageRow>> byId(String text) {
    try {
      return context
          .store()
          .message(new GroupMessageId(TransactionId.parse(text).value()))
          .thenCompose(found -> rows(found.stream().toList()));
    } catch (IllegalArgumentException e) {
      // What is no id is that of no message.
      return CompletableFuture.completedFuture(List.of());
    }
  }

  private RowSource<MessageRow> newest() {
    var pages =
        RowSource.pages(
            Optional.<Long>empty(),
            before -> context.store().messagesBefore(before, PAGE),
            page -> Optional.of(page.getLast().sequence()));
    return () -> pages.next().thenCompose(this::rows);
  }

  /** With their groups, which this node knows, since it is in them. */
  CompletionStage<List<MessageRow>> rows(List<NumberedMessage> messages) {
    return context.with(
        messages.stream().map(message -> message.message().contract()),
        () -> messages.stream().flatMap(message -> row(message).stream()).toList());
  }

  private Optional<MessageRow> row(NumberedMessage message) {
    return context
        .node()
        .group(message.message().contract())
        .map(group -> new MessageRow(message, group));
  }
}
