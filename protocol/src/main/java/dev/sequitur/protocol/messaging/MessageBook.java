package dev.sequitur.protocol.messaging;

import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.GroupMessagesAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.messaging.DeliveryTable.DeliveryEvent;
import dev.sequitur.protocol.messaging.DeliveryTable.DeliveryState;
import dev.sequitur.protocol.port.MessageStore;
import dev.sequitur.protocol.port.MessageStore.Following;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What the nodes of one contract's members tell each other, on one node. Each node numbers what it
 * sends; each other node stores the next in line and nothing else, so that order and <i>once</i>
 * follow from one number (MSG-2, MSG-4). Both sides keep a message before anybody is told of it
 * (MSG-1). No number is given twice, also if the node is set back to an older copy (MSG-9).
 */
public final class MessageBook {
  /** Messages that may wait for one receiver; beyond, callers are refused (MSG-6). */
  public static final int MOST_WAITING = 1_000;

  /** The part of what is kept by which it may be more, at most. */
  private static final int FORGOTTEN_TOGETHER = 20;

  private final NodeName self;
  private final ContractAddress contract;
  private final Supplier<PrivacyGroup> group;
  private final SequencerSettings settings;

  /** Of a group whose members never change. */
  public MessageBook(NodeName self, PrivacyGroup group, SequencerSettings settings) {
    this(self, group.contract(), () -> group, settings);
  }

  /**
   * @param group as this node knows it now
   */
  public MessageBook(
      NodeName self,
      ContractAddress contract,
      Supplier<PrivacyGroup> group,
      SequencerSettings settings) {
    this.self = self;
    this.contract = contract;
    this.group = group;
    this.settings = settings;
  }

  /** Nobody, while this node is no member: they would not take it (CMT-8). */
  private Set<NodeName> others() {
    var others = new TreeSet<>(group.get().committee().nodes());
    return others.remove(self) ? others : Set.of();
  }

  /** What a message book answers to. */
  public sealed interface Input {
    record Started() implements Input {}

    /**
     * The answer to {@link Load}. Until it comes, it is told nothing else.
     *
     * @param newest the highest number that is kept of each node
     * @param written the numbers of this node's newest messages, ascending: {@link #MOST_WAITING},
     *     if there are so many
     */
    record Found(Map<NodeName, Long> newest, List<Long> written) implements Input {
      public Found {
        newest = Map.copyOf(newest);
        written = List.copyOf(written);
      }
    }

    /**
     * From a caller of this node.
     *
     * @param call by which the answer names it
     */
    record Write(long call, Optional<GroupMessageId> answers, String topic, Bytes data)
        implements Input {}

    /** The answer to {@link Read}. */
    record WereRead(NodeName to, List<GroupMessage> messages) implements Input {
      public WereRead {
        messages = List.copyOf(messages);
      }
    }

    record Told(Received<GroupMessages> received) implements Input {}

    record Acknowledged(Received<GroupMessagesAcknowledgement> received) implements Input {}

    record Tick() implements Input {}

    /** From another node. */
    static Input of(Received<? extends Message.ForMessageBook> received) {
      return switch (received.message()) {
        case GroupMessages told -> new Told(received.with(told));
        case GroupMessagesAcknowledgement acknowledged ->
            new Acknowledged(received.with(acknowledged));
      };
    }
  }

  /** What has to be done besides sending messages. */
  public sealed interface Effect {}

  /**
   * Where messages are kept, after all that were to be kept before. Nobody is told of them before
   * that is done.
   *
   * @param at when they came here
   * @param messages each after the one that is kept before it
   */
  public record Keep(Instant at, List<Following> messages) implements Effect {
    public Keep {
      messages = List.copyOf(messages);
    }
  }

  /**
   * Messages that need not be kept any longer (MSG-8). What is not deleted now goes with the next.
   *
   * @param keep so many of the newest stay
   */
  public record Forget(NodeName from, int keep) implements Effect {}

  /** First in each life: answered by {@link Input.Found}. */
  public record Load() implements Effect {}

  /**
   * The messages of this node with a number above {@code after}, in order: answered by {@link
   * Input.WereRead} with at least one of them, and with at most {@link GroupMessages#MOST}.
   *
   * @param to whom they are for
   */
  public record Read(NodeName to, long after) implements Effect {}

  /** What a caller is told, once it is true. */
  public record Answer(long call, Outcome outcome) implements Effect {}

  /** What came of what a caller wanted to send. */
  public sealed interface Outcome {
    /** Every other node of the group will have it. */
    record Sent(GroupMessageId id) implements Outcome {}

    /**
     * Nothing was stored.
     *
     * @param slow the node for which as many wait as may
     */
    record TooMany(NodeName slow) implements Outcome {}
  }

  public Machine<Input, MessageBookState, MessageBookEvent, Effect> machine() {
    return new Machine<>(
        MessageBookState.initial(),
        this::decide,
        MessageBook::evolve,
        now -> Optional.of(new Input.Started()),
        new Input.Tick());
  }

  private static MessageBookState evolve(MessageBookState state, MessageBookEvent event) {
    return switch (event) {
      case MessageBookEvent.Acknowledged(var by, var upTo) ->
          state.withAcknowledged(state.acknowledged().plus(by, upTo));
      case MessageBookEvent.Welcomed fresh -> state.welcoming(fresh);
    };
  }

  /** Pure: the same state, input and time give the same decision. */
  public Decision<MessageBookState, MessageBookEvent, Effect> decide(
      MessageBookState state, Input input, Instant now) {
    var step = new BookStep(state, now);
    switch (input) {
      case Input.Started ignored -> {
        var anew = state.with().deliveries(HashTrie.empty()).exchanges(Exchanges.none());
        step.become(anew.build());
        step.effect(new Load());
      }
      case Input.Found(var newest, var written) -> {
        step.become(step.state().found(self, newest, written));
        welcome(step);
        others().forEach(to -> look(step, to));
      }
      case Input.Write write -> onWrite(step, write);
      case Input.WereRead(var to, var messages) -> onRead(step, to, messages);
      case Input.Told(var received) -> onTold(step, received);
      case Input.Acknowledged(var received) -> onAcknowledged(step, received);
      case Input.Tick ignored -> onTick(step);
    }
    return step.finish();
  }

  private static final class BookStep extends Step<MessageBookState, MessageBookEvent, Effect> {
    BookStep(MessageBookState state, Instant now) {
      super(state, now, MessageBook::evolve);
    }
  }

  /**
   * Messages begin with the change by which a node comes (MSG-10): what was written before this
   * node has read it is not for that one. What is being read for it ends first.
   */
  private void welcome(BookStep step) {
    if (group.get().committees().number() == 0) {
      return;
    }
    for (var node : others()) {
      if (step.state().deliveryTo(node) != DeliveryState.READING && isFresh(step, node)) {
        int change = group.get().committees().cameWith(node);
        move(step, node, DeliveryEvent.LEFT, List.of());
        step.record(new MessageBookEvent.Welcomed(node, change, step.state().written()));
      }
    }
  }

  private boolean isFresh(BookStep step, NodeName node) {
    return group.get().committees().cameWith(node) > step.state().welcomedWith(node);
  }

  private void onWrite(BookStep step, Input.Write write) {
    welcome(step);
    var state = step.state();
    var slow =
        others().stream()
            .filter(to -> state.waitingFor(to) >= MOST_WAITING)
            .min(Comparator.comparing(state::acknowledgedBy));
    if (slow.isPresent()) {
      step.effect(new Answer(write.call(), new Outcome.TooMany(slow.get())));
      return;
    }
    var content =
        new GroupMessage.Content(step.now(), write.answers(), write.topic(), write.data());
    var message = new GroupMessage(contract, self, state.numbers().next(step.now()), content);
    step.effect(new Keep(step.now(), List.of(new Following(state.written(), message))));
    step.become(state.withNumbers(state.numbers().plus(message.number())));
    step.effect(new Answer(write.call(), new Outcome.Sent(message.id())));
    others().forEach(to -> look(step, to));
  }

  /** Goes on with whoever lacks something. */
  private void look(BookStep step, NodeName to) {
    if (step.state().sentUpTo(to) < step.state().written()) {
      move(step, to, DeliveryEvent.WRITTEN, List.of());
    }
  }

  private void onRead(BookStep step, NodeName to, List<GroupMessage> messages) {
    if (others().contains(to) && !isFresh(step, to)) {
      move(step, to, DeliveryEvent.READ, messages);
    } else {
      move(step, to, DeliveryEvent.LEFT, List.of());
    }
  }

  private void move(BookStep step, NodeName to, DeliveryEvent event, List<GroupMessage> messages) {
    var stands = step.state().deliveryTo(to);
    DeliveryTable.DELIVERY.move(
        stands,
        event,
        to,
        (next, action) -> {
          step.become(step.state().delivering(to, next));
          step.become(step.state().withExchanges(step.state().exchanges().end(to)));
          switch (action) {
            case NOTHING -> {}
            case READ -> step.effect(new Read(to, step.state().sentUpTo(to)));
            case SEND -> send(step, to, messages);
          }
          return next;
        });
  }

  private void send(BookStep step, NodeName to, List<GroupMessage> messages) {
    var contents = new ArrayList<GroupMessage.Content>();
    int bytes = 0;
    long first = messages.get(0).number();
    for (var each : messages) {
      bytes += each.content().size();
      boolean isGap = each.number() != first + contents.size();
      boolean isFull = contents.size() == GroupMessages.MOST || bytes > GroupMessages.MOST_BYTES;
      if (isGap || (isFull && !contents.isEmpty())) {
        break;
      }
      contents.add(each.content());
    }
    var batch = new GroupMessages(contract, step.state().acknowledgedBy(to), first, contents);
    var backoff = settings.delivery().resendNotification();
    var exchange = Exchange.reliableNotification(to, batch, backoff, step.now());
    step.become(step.state().withExchanges(step.state().exchanges().begin(to, exchange)));
    step.send(exchange);
  }

  /**
   * Only what is next in line is stored; what is here already is acknowledged once more. Of a
   * sender that was set back, more may be here than it knows of: then its next ones follow that.
   */
  private void onTold(BookStep step, Received<GroupMessages> received) {
    var batch = received.message();
    var from = received.from();
    long before = step.state().receivedFrom(from);
    if (!others().contains(from)) {
      return;
    }
    boolean follows = batch.after() <= before;
    if (follows && batch.last() > before) {
      var fresh = new ArrayList<Following>();
      long kept = before;
      for (long number = Math.max(before + 1, batch.first()); number <= batch.last(); number++) {
        var content = batch.contents().get((int) (number - batch.first()));
        fresh.add(new Following(kept, new GroupMessage(contract, from, number, content)));
        kept = number;
      }
      step.effect(new Keep(step.now(), fresh));
      step.become(step.state().withReceived(step.state().received().plus(from, batch.last())));
      forget(step, from, before, batch.last());
    }
    step.reply(
        from,
        received.id(),
        new GroupMessagesAcknowledgement(contract, step.state().receivedFrom(from), !follows));
  }

  /**
   * Now and then, so that what goes goes together; but more is deleted than can come meanwhile, so
   * that what was left over once goes too.
   */
  private void forget(BookStep step, NodeName from, long before, long last) {
    int kept = settings.limits().messagesKept();
    int together = Math.clamp(kept / FORGOTTEN_TOGETHER, 1, MessageStore.MOST_FORGOTTEN / 2);
    if (last > kept && last / together > before / together) {
      step.effect(new Forget(from, kept));
    }
  }

  /**
   * Of a batch of this life, by the node that it went to. Of more than was written it says that the
   * receiver has all: what this node has forgotten, it cannot send (MSG-9).
   */
  private void onAcknowledged(BookStep step, Received<GroupMessagesAcknowledgement> received) {
    var by = received.from();
    long upTo = Math.min(received.message().upTo(), step.state().written());
    long before = step.state().acknowledgedBy(by);
    if (step.state().deliveryTo(by) != DeliveryState.ON_ITS_WAY) {
      return;
    }
    if (upTo > before) {
      step.record(new MessageBookEvent.Acknowledged(by, upTo));
      move(step, by, acknowledged(step, by, upTo), List.of());
    } else if (upTo < before && received.message().again()) {
      // It goes back when the batch would be sent again: whoever lies cannot have it sent oftener.
      step.record(new MessageBookEvent.Acknowledged(by, upTo));
    }
  }

  private DeliveryEvent acknowledged(BookStep step, NodeName by, long upTo) {
    if (!others().contains(by)) {
      return DeliveryEvent.LEFT;
    }
    return upTo == step.state().written() ? DeliveryEvent.CAUGHT_UP : DeliveryEvent.GO_ON;
  }

  private void onTick(BookStep step) {
    welcome(step);
    var ticked = step.state().exchanges().tick(step.now());
    step.become(step.state().withExchanges(ticked.rest()));
    for (var again : ticked.resend()) {
      long after = ((GroupMessages) again.message()).after();
      if (!others().contains(again.to())) {
        move(step, again.to(), DeliveryEvent.LEFT, List.of());
      } else if (after == step.state().acknowledgedBy(again.to())) {
        step.send(again);
      } else {
        move(step, again.to(), DeliveryEvent.GO_ON, List.of());
      }
    }
    // This node itself may have come back, and nobody was told meanwhile.
    others().forEach(to -> look(step, to));
  }
}
