package dev.sequitur.schedule.registry;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.chainexecution.Advance;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent;
import dev.sequitur.schedule.chainexecution.ChainExecutionState;
import dev.sequitur.schedule.chainexecution.ChainExecutionTerms;
import dev.sequitur.schedule.chainexecution.ChainExecutions;
import dev.sequitur.schedule.chainexecution.ToDo;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityEvent;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import dev.sequitur.schedule.gaspriority.GasPriorityRevision;
import dev.sequitur.schedule.gaspriority.GasPriorityState;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureEvent;
import dev.sequitur.schedule.multisignature.MultiSignatureNotice;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureState;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.plan.PlanEvent;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.plan.PlanState;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringEvent;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.schedule.recurring.RecurringResult;
import dev.sequitur.schedule.recurring.RecurringRevision;
import dev.sequitur.schedule.recurring.RecurringState;
import dev.sequitur.schedule.recurring.TaskTerms;
import java.util.List;
import java.util.stream.Stream;

/**
 * What each family puts in the place of the engine's open types, such as {@link
 * dev.sequitur.schedule.family.Terms}. The engine knows no family, so it cannot say which there
 * are; whoever stores or sends them asks here.
 */
public final class FamilyTypes {
  private FamilyTypes() {}

  /**
   * A family's alternatives of an open type of the engine, in the order of {@link FamilyKind}: a
   * sealed type or a record each.
   */
  public static List<Class<?>> of(Class<?> open) {
    return Stream.of(FamilyKind.values())
        .flatMap(kind -> of(kind).stream())
        .filter(open::isAssignableFrom)
        .toList();
  }

  private static List<Class<?>> of(FamilyKind kind) {
    return switch (kind) {
      case MULTI_SIGNATURE ->
          List.of(
              MultiSignature.class,
              MultiSignatureTerms.class,
              MultiSignatureState.class,
              MultiSignatureEvent.class,
              MultiSignatureOperation.class,
              MultiSignatureResult.class,
              MultiSignatureNotice.class,
              MultiSignatureQuery.class);
      case RECURRING ->
          List.of(
              Recurring.class,
              TaskTerms.class,
              RecurringState.class,
              RecurringEvent.class,
              RecurringOperation.class,
              RecurringRevision.class,
              RecurringResult.class,
              RecurringQuery.class);
      case GAS_PRIORITY ->
          List.of(
              GasPriority.class,
              GasPriorityTerms.class,
              GasPriorityState.class,
              GasPriorityRevision.class,
              GasPriorityEvent.class,
              GasPriorityQuery.class);
      case PLAN_EXECUTION ->
          List.of(
              PlanExecutions.class,
              PlanTerms.class,
              PlanState.class,
              PlanEvent.class,
              PlanOperation.class,
              PlanResult.class,
              PlanQuery.class);
      case CHAIN_EXECUTION ->
          List.of(
              ChainExecutions.class,
              ChainExecutionTerms.class,
              ChainExecutionState.class,
              ChainExecutionEvent.class,
              Advance.class,
              ToDo.class);
    };
  }
}
