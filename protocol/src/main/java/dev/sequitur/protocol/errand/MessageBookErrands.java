package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.messaging.MessageBook;
import dev.sequitur.protocol.port.MessageStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What is around the rules of a message book: it keeps messages in their order, finds them again,
 * and answers callers. Confined to the message book's thread.
 */
public final class MessageBookErrands {
  private final MessageStore store;
  private final NodeName self;
  private final ContractAddress contract;
  private final Edge edge;

  /** Callers of this life that are not answered yet. */
  private final Map<Long, Consumer<MessageBook.Outcome>> callers = new HashMap<>();

  private long calls;

  /** All that was begun to be kept so far. */
  private CompletionStage<Void> kept = CompletableFuture.completedFuture(null);

  /** The message book itself. */
  public interface Edge {
    /** What it asked for; lost with its life. Called from any thread. */
    void tell(MessageBook.Input input);

    /** Messages can't be read: this life ends. Called from any thread. */
    void failed(Throwable cause);
  }

  public MessageBookErrands(
      MessageStore store, NodeName self, ContractAddress contract, Edge edge) {
    this.store = store;
    this.self = self;
    this.contract = contract;
    this.edge = edge;
  }

  /**
   * From a caller.
   *
   * @param answer told when it is durable, or refused; never, if this life ends before
   * @throws IllegalArgumentException with a sentence for the caller, if it is too long
   */
  public MessageBook.Input write(
      Optional<GroupMessageId> answers,
      String topic,
      Bytes data,
      Consumer<MessageBook.Outcome> answer) {
    GroupMessage.Content.check(topic, data);
    callers.put(++calls, answer);
    return new MessageBook.Input.Write(calls, answers, topic, data);
  }

  /**
   * Called whenever something was decided, before its events are stored.
   *
   * @return done when all messages are kept that were decided to be so far, and only then may
   *     anything leave. Fails if one of them can't be: then this life has to end
   */
  public CompletionStage<Void> keep(List<MessageBook.Effect> effects) {
    var messages = new ArrayList<MessageStore.Following>();
    var at = Instant.EPOCH;
    for (var effect : effects) {
      if (effect instanceof MessageBook.Keep keep) {
        messages.addAll(keep.messages());
        at = keep.at();
      }
    }
    if (!messages.isEmpty()) {
      var when = at;
      // One after the other: what is kept must be a beginning of what was to be.
      kept = kept.thenCompose(before -> store.putMessages(when, messages));
    }
    return kept;
  }

  /** Called whenever something was decided, when all of it is durable. */
  public void run(List<MessageBook.Effect> effects) {
    for (var effect : effects) {
      switch (effect) {
        case MessageBook.Load ignored ->
            ask(
                store
                    .newestMessages(contract)
                    .thenCombine(
                        store.newestNumbers(contract, self, MessageBook.MOST_WAITING),
                        MessageBook.Input.Found::new),
                edge::tell);
        case MessageBook.Read(var to, var after) ->
            ask(
                store.messagesAfter(contract, self, after, GroupMessages.MOST),
                messages -> edge.tell(new MessageBook.Input.WereRead(to, messages)));
        case MessageBook.Forget(var from, var keep) ->
            ask(store.forgetMessages(contract, from, keep), done -> {});
        case MessageBook.Answer(var call, var outcome) -> callers.remove(call).accept(outcome);
        // Done before.
        case MessageBook.Keep ignored -> {}
      }
    }
  }

  private <T> void ask(CompletionStage<T> question, Consumer<T> answer) {
    BiConsumer<T, Throwable> told =
        (found, failure) -> {
          if (failure == null) {
            answer.accept(found);
          } else {
            edge.failed(failure);
          }
        };
    question.whenComplete(told);
  }
}
