package dev.sequitur.persistence.store;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.MessageStore;
import dev.sequitur.protocol.port.NodeStore.NumberedMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The messages between members of a {@link PostgresNodeStore}. */
record PostgresMessages(StoredValues values) {
  record Encoded(GroupMessage message, byte[] content) {}

  List<Encoded> encoded(Instant at, List<GroupMessage> messages) {
    return messages.stream()
        .map(each -> new Encoded(each, values.encode(new NumberedMessage(0, at, each))))
        .toList();
  }

  void put(List<Encoded> messages, Sql sql) throws SQLException {
    // Nobody else writes at the same time: see GroupWriter.
    long last = lastSequence(sql);
    for (var each : messages) {
      var message = each.message();
      last +=
          sql.update(
              "INSERT INTO message (sequence, id, contract, sender, number, content)"
                  + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
              last + 1,
              message.id().value(),
              message.contract().value(),
              message.from().value(),
              message.number(),
              each.content());
    }
  }

  void forget(ContractAddress contract, NodeName from, long upTo, Sql sql) throws SQLException {
    sql.update(
        "DELETE FROM message WHERE contract = ? AND sender = ? AND number IN"
            + " (SELECT number FROM message WHERE contract = ? AND sender = ? AND number <= ?"
            + " AND number < (SELECT max(number) FROM message WHERE contract = ? AND sender = ?)"
            + " ORDER BY number LIMIT ?)",
        contract.value(),
        from.value(),
        contract.value(),
        from.value(),
        upTo,
        contract.value(),
        from.value(),
        MessageStore.MOST_FORGOTTEN);
  }

  static long lastSequence(Sql sql) throws SQLException {
    return sql.number("SELECT coalesce(max(sequence), 0) FROM message");
  }

  Map<NodeName, Long> newest(ContractAddress contract, Sql sql) throws SQLException {
    var newest = new HashMap<NodeName, Long>();
    sql.all(
            "SELECT sender, max(number) FROM message WHERE contract = ? GROUP BY sender",
            row -> Map.entry(new NodeName(row.getString(1)), row.getLong(2)),
            contract.value())
        .forEach(each -> newest.put(each.getKey(), each.getValue()));
    return Map.copyOf(newest);
  }

  List<GroupMessage> of(ContractAddress contract, NodeName from, long after, int limit, Sql sql)
      throws SQLException {
    return sql
        .all(
            "SELECT sequence, content FROM message WHERE contract = ? AND sender = ?"
                + " AND number > ? ORDER BY number LIMIT ?",
            this::read,
            contract.value(),
            from.value(),
            after,
            limit)
        .stream()
        .map(NumberedMessage::message)
        .toList();
  }

  Optional<NumberedMessage> find(GroupMessageId id, Sql sql) throws SQLException {
    return sql.one("SELECT sequence, content FROM message WHERE id = ?", this::read, id.value());
  }

  List<NumberedMessage> after(long after, int limit, Sql sql) throws SQLException {
    return sql.all(
        "SELECT sequence, content FROM message WHERE sequence > ? ORDER BY sequence LIMIT ?",
        this::read,
        after,
        limit);
  }

  List<NumberedMessage> before(long before, int limit, Sql sql) throws SQLException {
    return sql.all(
        "SELECT sequence, content FROM message WHERE sequence < ? ORDER BY sequence DESC LIMIT ?",
        this::read,
        before,
        limit);
  }

  private NumberedMessage read(ResultSet row) throws SQLException {
    return values.decode(row.getBytes(2), NumberedMessage.class).at(row.getLong(1));
  }
}
