package dev.sequitur.scheduler.actor;

import akka.actor.ExtendedActorSystem;
import akka.serialization.SerializerWithStringManifest;
import dev.sequitur.encoding.Alternatives;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.persistence.serialization.ActorRefCodec;
import dev.sequitur.schedule.chainexecution.ToDo;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.scheduler.storage.QueueFormat;
import dev.sequitur.scheduler.storage.QueueRecord;
import java.io.NotSerializableException;
import java.util.List;
import java.util.Map;

/**
 * Akka's way to {@link QueueFormat}: for the records of the journal, and for what is said between
 * the JVMs of a node.
 */
public final class SchedulerSerializer extends SerializerWithStringManifest {
  /** For life: it stands beside everything stored. */
  public static final int IDENTIFIER = 740_318;

  static final Map<String, Class<?>> TYPES =
      Map.of(
          "QueueRecord", QueueRecord.class,
          "QueueRequest", QueueRequest.class,
          "QueueReply", QueueReply.class,
          "QueueNotices", QueueNotices.class,
          "ClockReading", ClockReading.class);

  static final List<Alternatives<?>> MESSAGES =
      List.of(
          Alternatives.of(
              QueueRequest.class,
              QueueRequest.Submit.class,
              QueueRequest.Ask.class,
              QueueRequest.Wake.class,
              QueueRequest.Stop.class),
          Alternatives.of(
              QueueQuestion.class,
              QueueQuestion.Explain.class,
              QueueQuestion.CountMoney.class,
              QueueQuestion.Overview.class,
              QueueQuestion.Find.class,
              QueueQuestion.Page.class,
              QueueQuestion.Available.class,
              QueueQuestion.FamilyKnows.class,
              QueueQuestion.Foresee.class,
              QueueQuestion.OfFamily.class,
              QueueQuestion.Outcomes.class,
              QueueQuestion.Remembered.class,
              QueueQuestion.Happened.class,
              QueueQuestion.Try.class,
              QueueQuestion.Times.class,
              QueueQuestion.Comes.class,
              QueueQuestion.ByDue.class,
              QueueQuestion.Statement.class),
          // A question of a family that comes from another JVM, and its answer.
          Alternatives.of(
              FamilyQuery.class,
              MultiSignatureQuery.ScheduleGetInfo.class,
              MultiSignatureQuery.GetRecords.class,
              MultiSignatureQuery.GetAccount.class,
              MultiSignatureQuery.WaitingFor.class,
              MultiSignatureQuery.KeysToCreate.class,
              MultiSignatureQuery.KeysOfSchedule.class,
              MultiSignatureQuery.KeysOfAccounts.class,
              PlanQuery.Plans.class,
              PlanQuery.RemainingExecutions.class,
              PlanQuery.GetExecutionById.class,
              PlanQuery.ExecutionsByRequestorCount.class,
              PlanQuery.GetExecutionsByRequestor.class,
              GasPriorityQuery.GetReadyTransactions.class,
              GasPriorityQuery.WhyUnreached.class,
              RecurringQuery.FreeSlots.class,
              ToDo.class,
              RecurringQuery.DaysOffListed.class,
              MultiSignatureQuery.AccountsIn.class,
              MultiSignatureQuery.SchedulesIn.class,
              MultiSignatureQuery.RecordsIn.class),
          Alternatives.of(
              Object.class,
              MultiSignatureAnswer.InfoFound.class,
              MultiSignatureAnswer.Records.class,
              MultiSignatureAnswer.AccountFound.class,
              MultiSignatureAnswer.Schedules.class,
              MultiSignatureAnswer.SigningKeys.class,
              PlanQuery.Offer.class,
              PlanQuery.Count.class,
              PlanQuery.Found.class,
              PlanQuery.Page.class,
              GasPriorityQuery.ReadyTransactions.class,
              GasPriorityQuery.Unreached.class,
              RecurringQuery.Slots.class,
              ToDo.Known.class,
              RecurringQuery.Lists.class,
              MultiSignatureAnswer.AccountsFound.class,
              MultiSignatureAnswer.InfosFound.class,
              MultiSignatureAnswer.RecordsFound.class),
          Alternatives.of(
              QueueReply.class,
              QueueReply.Answers.class,
              QueueReply.Unavailable.class,
              QueueReply.Explained.class,
              QueueReply.Counted.class,
              QueueReply.Overviewed.class,
              QueueReply.Found.class,
              QueueReply.Paged.class,
              QueueReply.Balance.class,
              QueueReply.Known.class,
              QueueReply.Foreseen.class,
              QueueReply.Said.class,
              QueueReply.Happened.class,
              QueueReply.Told.class,
              QueueReply.Tried.class,
              QueueReply.Runs.class,
              QueueReply.Planned.class,
              QueueReply.Due.class,
              QueueReply.Stated.class));

  private final QueueFormat format;

  /** For Akka, which makes one for each actor system. */
  public SchedulerSerializer(ExtendedActorSystem system) {
    this.format = new QueueFormat(MESSAGES, ActorRefCodec.of(system));
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public String manifest(Object value) {
    return TYPES.entrySet().stream()
        .filter(type -> type.getValue().isInstance(value))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No value of ours: " + value.getClass()));
  }

  @Override
  @SuppressWarnings("unchecked")
  public byte[] toBinary(Object value) {
    return format.encode(value, (Class<Object>) TYPES.get(manifest(value)));
  }

  /**
   * @throws NotSerializableException if the manifest is unknown or the bytes are another program's
   */
  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    var type = TYPES.get(manifest);
    if (type == null) {
      throw new NotSerializableException("The manifest '" + manifest + "' is unknown here.");
    }
    try {
      return format.decode(bytes, type);
    } catch (MalformedBytesException e) {
      var unreadable =
          new NotSerializableException(
              "What another JVM of this node has sent cannot be read; run the same Sequitur in all of"
                  + " them. "
                  + e.getMessage());
      unreadable.initCause(e);
      throw unreadable;
    }
  }
}
