package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Choice;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Transaction;
import java.util.stream.Stream;

/**
 * What callers can send, by its {@code type}. {@link #of} ties it to {@link Transaction}: one that
 * nobody could send does not compile.
 */
enum TransactionKind implements Choice.Kind {
  PRIVATE("private") {
    @Override
    public ObjectFormat fields() {
      return IntentDraft.TRANSACTION;
    }
  },
  PUBLIC("public") {
    @Override
    public ObjectFormat fields() {
      return PublicDraft.FIELDS;
    }
  };

  static final Shape<TransactionKind> SHAPE =
      Shape.among(TransactionKind.class, TransactionKind::word);

  /** The same where it is kept as its word. */
  static final Shape<String> WORD =
      Shape.among(Stream.of(values()).map(TransactionKind::word).toList());

  private final String word;

  TransactionKind(String word) {
    this.word = word;
  }

  @Override
  public String word() {
    return word;
  }

  static TransactionKind of(Transaction transaction) {
    return switch (transaction) {
      case PrivateTransaction any -> PRIVATE;
      case PublicTransaction any -> PUBLIC;
      case NewGroup any -> PRIVATE;
    };
  }
}
