package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.util.List;
import java.util.Optional;

/** Makes transactions as Hedera's clients do, for callers who have none. Thread-safe. */
public final class TransactionWriter {
  private final Profile profile;
  private final Addressee addressee;
  private final ScheduledBodies bodies;

  /**
   * @param queue which they are for
   */
  public TransactionWriter(Profile profile, NodeAccount queue) {
    this.profile = profile;
    this.addressee = new Addressee(Optional.of(queue));
    this.bodies = new ScheduledBodies(profile, addressee);
  }

  /**
   * A body to be scheduled; in {@code current} a nonce cannot be written.
   *
   * @throws IllegalArgumentException with a sentence for the caller, if it cannot be written
   */
  public ScheduledTransaction scheduled(int nonce, long maxFee, String memo, Action action) {
    return bodies.write(nonce, maxFee, memo, action);
  }

  /**
   * What is to be signed.
   *
   * @throws IllegalArgumentException with a sentence for the caller, if it cannot be written
   */
  public Bytes body(Header header, Operation operation) {
    var body =
        addressee
            .put(new MessageBytes().message(1, CommonMessages.write(header.id())))
            .number(3, header.maxFee())
            .message(4, new MessageBytes().number(1, header.validSeconds()))
            .text(6, header.memo());
    switch (operation) {
      case Operation.ScheduleCreate create ->
          body.message(42, profile == Profile.MVP ? mvpCreate(create) : create(create.creation()));
      case Operation.ScheduleSign(var schedule, var sigMap) -> {
        var message = new MessageBytes().message(1, CommonMessages.write(schedule));
        body.message(44, withSignatures(message, 2, sigMap));
      }
      case Operation.ScheduleDelete(var schedule) ->
          body.message(43, new MessageBytes().message(1, CommonMessages.write(schedule)));
      case Operation.CryptoCreate(var account) -> body.message(11, ScheduledBodies.write(account));
      case Operation.CryptoUpdate(var account, var change) ->
          body.message(15, AccountUpdates.write(new Action.CryptoUpdate(account, change)));
      case Operation.CryptoDelete(var account, var to) ->
          body.message(
              12,
              new MessageBytes()
                  .message(1, CommonMessages.write(to))
                  .message(2, CommonMessages.write(account)));
      case Operation.CryptoTransfer(var transfer) ->
          body.message(14, ScheduledBodies.writeTransfer(transfer.transfers()));
      case Operation.QueryPayment(var transfer, var ignored) ->
          body.message(14, ScheduledBodies.writeTransfer(transfer.transfers()));
    }
    return body.finish();
  }

  /** The bytes of a Transaction, ready to be submitted. */
  public static Bytes signed(Bytes body, List<SignaturePair> signatures) {
    var signed =
        new MessageBytes().bytes(1, body).message(2, CommonMessages.writeSignatures(signatures));
    return new MessageBytes().message(5, signed).finish();
  }

  private static MessageBytes mvpCreate(Operation.ScheduleCreate create) {
    var creation = create.creation();
    if (creation.waitForExpiry()) {
      throw new IllegalArgumentException(
          "A schedule of the profile mvp runs with its last signature: leave out waitForExpiry, which"
              + " a scheduleCreate of the profile current takes.");
    }
    var message = new MessageBytes().bytes(1, creation.transaction().bytes());
    creation.adminKey().ifPresent(key -> message.message(2, CommonMessages.write(key)));
    creation.payer().ifPresent(payer -> message.message(3, CommonMessages.write(payer)));
    withSignatures(message, 4, create.sigMap()).text(5, creation.memo());
    // Beyond the text, which has no times in its first phase.
    creation
        .expirationSecond()
        .ifPresent(second -> message.message(6, CommonMessages.write(time(second))));
    return message;
  }

  private static MessageBytes create(Creation creation) {
    var message =
        new MessageBytes().message(1, creation.transaction().bytes()).text(2, creation.memo());
    creation.adminKey().ifPresent(key -> message.message(3, CommonMessages.write(key)));
    creation.payer().ifPresent(payer -> message.message(4, CommonMessages.write(payer)));
    creation
        .expirationSecond()
        .ifPresent(second -> message.message(5, CommonMessages.write(time(second))));
    return message.flag(13, creation.waitForExpiry());
  }

  private static ConsensusTime time(long second) {
    if (second >= ConsensusTime.END.getEpochSecond()) {
      throw new IllegalArgumentException(ConsensusTime.ENDS);
    }
    return ConsensusTime.ofSeconds(second);
  }

  private static MessageBytes withSignatures(
      MessageBytes message, int field, List<SignaturePair> pairs) {
    return pairs.isEmpty()
        ? message
        : message.message(field, CommonMessages.writeSignatures(pairs));
  }
}
