package dev.sequitur.scheduler.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.RecoveryFailed;
import akka.persistence.typed.SnapshotSelectionCriteria;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.Recovery;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.QueueRecord;
import dev.sequitur.scheduler.storage.StateLostException;
import java.util.List;

/**
 * Stores what {@link QueueDecider} has decided, one batch after another: the durable part of a
 * queue. It begins with what the last checkpoint holds and replays the records since; recovery
 * decides nothing. A failed write stops it, and its parent with it: whether it was stored is found
 * out by the next recovery.
 */
final class QueueMachine
    extends EventSourcedBehavior<QueueMachine.Store, QueueRecord, QueueMemory> {
  /**
   * The next batch.
   *
   * @param record without events if there is nothing to store
   * @param memory as it is when that is stored
   * @param effects for its parent, when it is stored
   */
  record Store(QueueRecord record, QueueMemory memory, List<QueueEffect> effects) {
    private Told.Stored stored() {
      return new Told.Stored(memory, effects, record.events().size());
    }
  }

  /**
   * What a recovery begins with.
   *
   * @param bodies what their store has
   * @param commands the number up to which commands were ever in their store
   */
  record Beginning(QueueMemory checkpoint, StoredBodies bodies, long commands) {}

  /** What its parent is told. */
  sealed interface Told extends QueueActor.Message {
    /**
     * It has recovered.
     *
     * @param replayed events that no checkpoint contained
     * @param lostBodies executed ones that the store must be given again before anything else
     */
    record Recovered(QueueMemory memory, int replayed, List<Hash> lostBodies) implements Told {
      /** When the store has been given those. */
      Recovered complete() {
        return new Recovered(memory, replayed, List.of());
      }
    }

    /** It could not recover, and stops. */
    record NotRecovered(Throwable cause) implements Told {}

    /**
     * What a batch led to is stored.
     *
     * @param events how many
     */
    record Stored(QueueMemory memory, List<QueueEffect> effects, int events) implements Told {}
  }

  private final ActorContext<Store> context;
  private final QueueServices services;
  private final QueueName name;
  private final Beginning beginning;
  private final ActorRef<QueueActor.Message> parent;

  /** What is being stored; null before the first. */
  private Store storing;

  private int replayed;

  static Behavior<Store> create(
      QueueServices services,
      QueueActor.Place place,
      Beginning beginning,
      ActorRef<QueueActor.Message> parent) {
    return Behaviors.setup(
        context -> new QueueMachine(context, services, place, beginning, parent));
  }

  private QueueMachine(
      ActorContext<Store> context,
      QueueServices services,
      QueueActor.Place place,
      Beginning beginning,
      ActorRef<QueueActor.Message> parent) {
    super(PersistenceId.ofUniqueId(place.stream()));
    this.name = place.name();
    this.context = context;
    this.services = services;
    this.beginning = beginning;
    this.parent = parent;
  }

  @Override
  public QueueMemory emptyState() {
    beginning.bodies().note(beginning.checkpoint().queue());
    return beginning.checkpoint();
  }

  /** Checkpoints are the queue's own. */
  @Override
  public Recovery recovery() {
    return Recovery.withSnapshotSelectionCriteria(SnapshotSelectionCriteria.none());
  }

  @Override
  public EventHandler<QueueMemory, QueueRecord> eventHandler() {
    return this::onRecord;
  }

  /** What was just decided it need not work out again. */
  @SuppressWarnings("ReferenceEquality")
  private QueueMemory onRecord(QueueMemory state, QueueRecord stored) {
    if (storing != null && stored == storing.record()) {
      return storing.memory();
    }
    if (stored.number() > state.number()) {
      replayed += stored.events().size();
    }
    var next = state.replay(services.rules(), stored);
    beginning.bodies().note(next.queue());
    return next;
  }

  @Override
  public SignalHandler<QueueMemory> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), this::onRecovered)
        .onSignal(
            RecoveryFailed.class,
            (state, failed) -> parent.tell(new Told.NotRecovered(failed.getFailure())))
        .build();
  }

  private void onRecovered(QueueMemory recovered) {
    long stored = lastSequenceNumber(context);
    if (stored != recovered.number()) {
      throw new StateLostException(
          "Its journal ends at record "
              + stored
              + ", and its checkpoint with what follows at "
              + recovered.number()
              + ": one of them was lost or is another's.");
    }
    if (recovered.commands().dropped() > beginning.commands()) {
      throw new StateLostException(
          "It has stored the ids of the first "
              + recovered.commands().dropped()
              + " commands, so that none of them is done again, and their store has lost those"
              + " after "
              + beginning.commands()
              + ".");
    }
    var refused =
        services
            .rules()
            .refusesPlace(
                recovered.queue(),
                name.whole().value(),
                name.place(services.settings().partitions(name)))
            .or(() -> services.rules().refusesSettings(recovered.queue()));
    if (refused.isPresent()) {
      throw new ChangedSettingsException(refused.get());
    }
    var lost = beginning.bodies().missing(recovered.queue());
    parent.tell(new Told.Recovered(recovered, replayed, lost));
  }

  @Override
  public CommandHandler<Store, QueueRecord, QueueMemory> commandHandler() {
    return newCommandHandlerBuilder().forAnyState().onAnyCommand(this::onStore);
  }

  private Effect<QueueRecord, QueueMemory> onStore(Store store) {
    if (store.record().events().isEmpty()) {
      parent.tell(store.stored());
      return Effect().none();
    }
    storing = store;
    return Effect().persist(store.record()).thenRun(state -> parent.tell(store.stored()));
  }
}
