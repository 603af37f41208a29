package dev.sequitur.scheduler.provider;

import dev.sequitur.cluster.metrics.Gauges;
import dev.sequitur.cluster.metrics.LabelledCounter;
import dev.sequitur.schedule.chainexecution.ChainLook;
import dev.sequitur.schedule.chainexecution.PlanChain.Pooling;
import dev.sequitur.schedule.chainexecution.PlanChain.Sent;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;

/** What an operator watches of a provider, beside what its queue shows. Thread-safe. */
public final class ProviderFigures {
  private final LabelledCounter<Pooling> sent;
  private volatile long newest;
  private volatile double balance;
  private volatile boolean troubled;

  /**
   * @param registry of the node; it has none of these names yet
   */
  public ProviderFigures(PrometheusRegistry registry) {
    sent =
        new LabelledCounter<>(
            registry,
            "sequitur_provider_sent",
            "Transactions that the provider has sent, again ones too, by what the chain's node said.",
            "outcome",
            Pooling.class);
    Gauges.show(
        registry,
        "sequitur_provider_newest_block_timestamp_seconds",
        "The time of the newest block that the provider has seen.",
        () -> newest);
    Gauges.show(
        registry,
        "sequitur_provider_balance",
        "What the provider's account has for gas, in the chain's smallest unit.",
        () -> balance);
    Gauges.show(
        registry,
        "sequitur_provider_troubled",
        "1 as long as something keeps all executions waiting: the log and each explanation say it.",
        () -> troubled ? 1 : 0);
  }

  void saw(ChainLook view) {
    newest = view.newest().time();
    balance = view.account().balance().doubleValue();
  }

  void sent(List<Sent> answers) {
    answers.forEach(answer -> sent.increment(answer.pooling()));
  }

  void troubled(boolean is) {
    troubled = is;
  }
}
