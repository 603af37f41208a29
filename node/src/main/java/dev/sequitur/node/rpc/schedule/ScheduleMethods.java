package dev.sequitur.node.rpc.schedule;

import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.Webhook;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.schedule.ScheduleId;
import java.util.ArrayList;
import java.util.List;

/** All methods of the schedules, in the order of the reference page. */
public final class ScheduleMethods {
  private ScheduleMethods() {}

  /**
   * A schedule by its id as a method answers it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ScheduleId scheduleId(String text) {
    return CommandFields.parseSchedule(text);
  }

  /** What a webhook is sent: it was made by somebody who sees all of its queue. */
  public static ListenerFeed.Rows feed(NodeContext context, Listener webhook) {
    return WebhookMethods.feed(context.scheduler(), Webhook.of(webhook));
  }

  public static List<RpcMethod> of(NodeContext context) {
    var submission = new CommandSubmission(context);
    var methods = new ArrayList<RpcMethod>();
    methods.addAll(new AccountMethods(context, submission).methods());
    methods.addAll(new GasPriorityMethods(context, submission).methods());
    methods.addAll(new RecurringMethods(context, submission).methods());
    methods.addAll(new DaysOffMethods(context, submission).methods());
    var signing = new MultiSignatureMethods(context, submission);
    var signed = new MultiSignatureQueryMethods(context);
    methods.addAll(signing.creating());
    methods.addAll(signed.schedules());
    methods.addAll(signing.signing());
    methods.addAll(signed.records());
    methods.addAll(new PlanQueryMethods(context).methods());
    methods.addAll(new PlanMethods(context, submission).methods());
    methods.addAll(new QueueMethods(context, submission).methods());
    methods.addAll(new CalendarMethods(context).methods());
    methods.addAll(
        new InterventionMethods(submission, new TargetFields(new PrivateCalls(context))).methods());
    methods.addAll(new EventMethods(context).methods());
    methods.addAll(new HappenedMethods(context).methods());
    methods.addAll(new WebhookMethods(context).methods());
    return methods;
  }
}
