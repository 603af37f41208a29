package dev.sequitur.sequencer.actor;

import akka.persistence.typed.SnapshotAdapter;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.Erased;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.messaging.MessageBookEvent;
import dev.sequitur.protocol.messaging.MessageBookState;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.TreePVector;

/** The durable part of the machines' states, as snapshots hold it. */
final class SequencerSnapshots {
  private SequencerSnapshots() {}

  /** Of a sender. */
  public record SenderSnapshot(long epoch, List<Remembered> remembered)
      implements ProtocolSerializable {
    /** See {@link SenderState.Remembered}; snapshots of before lack {@code failures}. */
    public record Remembered(
        TransactionId transaction,
        int attempts,
        Instant notBefore,
        Optional<Instant> parkedUntil,
        Optional<List<Happened>> failures) {}
  }

  /**
   * Of a submitter.
   *
   * @param given see {@link SubmitterState#given}; empty if it is the next nonce
   * @param shown see {@link SubmitterState#shown}
   */
  public record SubmitterSnapshot(
      long nextNonce,
      long nextOrder,
      List<Held> live,
      List<Carried> carriers,
      List<SubmitterEvent.Notifying> owed,
      GasPaid paid,
      long taken,
      List<HeldPublicly> publics,
      Optional<Long> given,
      List<LedgerReceipt> shown)
      implements ProtocolSerializable {
    /**
     * A dispatch in its order.
     *
     * @param alone whether it needs a base-ledger transaction of its own and has none yet
     */
    public record Held(long order, Dispatch dispatch, boolean alone) {}

    /**
     * A base-ledger transaction.
     *
     * @param orders of what it carries; none if only its nonce is still to be used
     * @param refusal why the pool will never take what it carries alone
     */
    public record Carried(long nonce, List<Long> orders, Fees fees, Optional<String> refusal) {}

    /**
     * A public transaction in its order; a carrier names it, if one carries it.
     *
     * @param receipt once its end is known
     * @param former hashes of the calls that it was before its caller changed it
     */
    public record HeldPublicly(
        long order,
        SubmitterEvent.Accepted accepted,
        Optional<Receipt> receipt,
        List<Hash> former) {}
  }

  /**
   * Of a state store.
   *
   * @param confirmed oldest first
   * @param erased states whose contents were erased and are gone
   * @param toWipe those whose contents are to be deleted still
   * @param unmade states that no block has made, and whose contents are kept
   */
  public record StateStoreSnapshot(
      BlockHeight height,
      List<StateId> confirmed,
      List<Held> unconfirmed,
      List<Missing> contentMissing,
      List<StateStoreState.Owed> outbox,
      BlockHeight sought,
      Optional<BlockHeight> differs,
      List<StateId> erased,
      List<StateId> toWipe,
      List<Erased.Demand> demands,
      List<Held> unmade)
      implements ProtocolSerializable {
    /** A state whose transaction is not confirmed yet. */
    public record Held(StateId state, StateStoreState.Unconfirmed content) {}

    /** A state on the ledger whose content has not come. */
    public record Missing(StateId state, BlockHeight since) {}
  }

  /**
   * Of a message book.
   *
   * @param welcomed see {@link MessageBookState#welcomed}
   */
  public record MessageBookSnapshot(
      List<Receiver> receivers, List<MessageBookEvent.Welcomed> welcomed)
      implements ProtocolSerializable {
    /** How far one of the other nodes is. */
    public record Receiver(NodeName node, long acknowledged) {}
  }

  static SnapshotAdapter<SenderState> sender() {
    return new SnapshotAdapter<>() {
      @Override
      public Object toJournal(SenderState state) {
        var remembered = new ArrayList<SenderSnapshot.Remembered>();
        state
            .remembered()
            .forEach(
                (id, what) ->
                    remembered.add(
                        new SenderSnapshot.Remembered(
                            id,
                            what.attempts(),
                            what.notBefore(),
                            what.parkedUntil(),
                            Optional.of(List.copyOf(what.failures())))));
        return new SenderSnapshot(state.epoch(), remembered);
      }

      @Override
      public SenderState fromJournal(Object from) {
        var snapshot = (SenderSnapshot) from;
        var state = SenderState.recovered(snapshot.epoch());
        for (var what : snapshot.remembered()) {
          state =
              state.remember(
                  what.transaction(),
                  new SenderState.Remembered(
                      what.attempts(),
                      what.notBefore(),
                      what.parkedUntil(),
                      TreePVector.from(what.failures().orElse(List.of()))));
        }
        return state;
      }
    };
  }

  static SnapshotAdapter<SubmitterState> submitter() {
    return new SnapshotAdapter<>() {
      @Override
      public Object toJournal(SubmitterState state) {
        var live =
            state.live().values().stream()
                .map(
                    held ->
                        new SubmitterSnapshot.Held(
                            held.order(),
                            held.dispatch(),
                            state.waiting().getOrDefault(held.order(), false)))
                .toList();
        var carriers =
            state.carriers().values().stream()
                .map(
                    each ->
                        new SubmitterSnapshot.Carried(
                            each.nonce(),
                            List.copyOf(each.orders()),
                            each.fees(),
                            state.refusal(each)))
                .toList();
        var owed =
            state.owed().values().stream()
                .map(o -> new SubmitterEvent.Notifying(o.sender(), o.notification()))
                .toList();
        var publics =
            state.publics().values().stream()
                .map(
                    each ->
                        new SubmitterSnapshot.HeldPublicly(
                            each.order(),
                            new SubmitterEvent.Accepted(each.accepted(), each.transaction()),
                            each.receipt(),
                            List.copyOf(each.former())))
                .toList();
        return new SubmitterSnapshot(
            state.nextNonce(),
            state.nextOrder(),
            live,
            carriers,
            owed,
            state.paid(),
            state.taken(),
            publics,
            Optional.of(state.given()).filter(given -> given > state.nextNonce()),
            List.copyOf(state.shown().values()));
      }

      @Override
      public SubmitterState fromJournal(Object from) {
        var snapshot = (SubmitterSnapshot) from;
        var state = SubmitterState.initial();
        for (var held : snapshot.live()) {
          state = state.holding(held.order(), held.dispatch(), held.alone());
        }
        for (var each : snapshot.publics()) {
          state = state.holding(each.order(), each.accepted(), each.receipt(), each.former());
        }
        for (var each : snapshot.carriers()) {
          state = state.carrying(each.nonce(), each.orders(), each.fees());
          if (each.refusal().isPresent()) {
            state = state.refuse(each.nonce(), each.refusal().get());
          }
        }
        for (var owed : snapshot.owed()) {
          state = state.owing(owed);
        }
        for (var receipt : snapshot.shown()) {
          state = state.show(receipt);
        }
        return state
            .expecting(
                snapshot.nextNonce(),
                snapshot.given().orElse(snapshot.nextNonce()),
                snapshot.nextOrder())
            .withPaid(snapshot.paid())
            .withTaken(snapshot.taken());
      }
    };
  }

  static SnapshotAdapter<StateStoreState> stateStore() {
    return new SnapshotAdapter<>() {
      @Override
      public Object toJournal(StateStoreState state) {
        var confirmed =
            state.confirmed().entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
        var unconfirmed = new ArrayList<StateStoreSnapshot.Held>();
        state
            .unconfirmed()
            .forEach((id, content) -> unconfirmed.add(new StateStoreSnapshot.Held(id, content)));
        var missing = new ArrayList<StateStoreSnapshot.Missing>();
        state
            .contentMissing()
            .forEach((id, since) -> missing.add(new StateStoreSnapshot.Missing(id, since)));
        return new StateStoreSnapshot(
            state.height(),
            confirmed,
            unconfirmed,
            missing,
            List.copyOf(state.outbox().values()),
            state.sought(),
            state.differs(),
            List.copyOf(state.erased().gone()),
            List.copyOf(state.erased().toWipe()),
            state.erased().list(),
            state.unmade().states().entrySet().stream()
                .map(each -> new StateStoreSnapshot.Held(each.getKey(), each.getValue()))
                .toList());
      }

      @Override
      public StateStoreState fromJournal(Object from) {
        var snapshot = (StateStoreSnapshot) from;
        var state = StateStoreState.initial().at(snapshot.height());
        for (var confirmed : snapshot.confirmed()) {
          state = state.confirm(confirmed);
        }
        for (var content : snapshot.unconfirmed()) {
          state = state.hold(content.state(), content.content());
        }
        for (var missing : snapshot.contentMissing()) {
          state = state.at(missing.since()).await(missing.state());
        }
        for (var owed : snapshot.outbox()) {
          state = state.owe(owed);
        }
        for (var unmade : snapshot.unmade()) {
          state = state.keepUnmade(unmade.state(), unmade.content());
        }
        return state
            .at(snapshot.height())
            .withSought(snapshot.sought())
            .withDiffers(snapshot.differs())
            .withErased(Erased.of(snapshot.erased(), snapshot.toWipe(), snapshot.demands()));
      }
    };
  }

  static SnapshotAdapter<MessageBookState> messageBook() {
    return new SnapshotAdapter<>() {
      @Override
      public Object toJournal(MessageBookState state) {
        return new MessageBookSnapshot(
            state.acknowledged().entrySet().stream()
                .map(each -> new MessageBookSnapshot.Receiver(each.getKey(), each.getValue()))
                .toList(),
            List.copyOf(state.welcomed().values()));
      }

      @Override
      public MessageBookState fromJournal(Object from) {
        var snapshot = (MessageBookSnapshot) from;
        var state = MessageBookState.initial();
        for (var each : snapshot.welcomed()) {
          state = state.welcoming(each);
        }
        for (var each : snapshot.receivers()) {
          state =
              state.withAcknowledged(state.acknowledged().plus(each.node(), each.acknowledged()));
        }
        return state;
      }
    };
  }
}
