package dev.sequitur.node.process;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.ethereum.PlanContract;
import dev.sequitur.node.configuration.ProviderConfiguration;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.schedule.chainexecution.ServedContract;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.provider.ProviderActor;
import dev.sequitur.scheduler.provider.ProviderFigures;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.CompletionStage;

/** Has a node serve a plan contract. */
final class ContractProvider {
  /** It comes by a command, or by a node's configuration. */
  private static final String NAMED = "the address (--rpc, or scheduler.provider.rpc)";

  private ContractProvider() {}

  /** What it takes of its node. */
  record Node(
      SchedulerNode scheduler, Keys keys, Signatures signatures, PrometheusRegistry registry) {}

  /**
   * @return fails with a sentence if the chain does not answer, or has no such contract
   */
  static CompletionStage<Done> start(
      ActorSystem<Void> system, Node node, ProviderConfiguration configuration) {
    var rpc =
        ChainNodes.called(
            configuration.rpc(), NAMED, configuration.calls(), system.executionContext()::execute);
    return FactoryDeployment.chainId(rpc)
        .exceptionally(
            failure -> {
              throw new StartFailure(
                  "There is no chain at %s. %s"
                      .formatted(
                          ChainRpc.withoutSecrets(configuration.rpc()),
                          Answers.cause(failure).getMessage()),
                  failure);
            })
        .thenCompose(
            chainId -> {
              var contract =
                  new PlanContract(
                      rpc,
                      new ServedContract(chainId, configuration.contract()),
                      configuration.confirmations(),
                      configuration.legacy(),
                      node.keys().signer(ProviderConfiguration.KEY),
                      node.signatures());
              return contract.find().thenApply(found -> contract);
            })
        .thenApply(
            contract -> {
              system.systemActorOf(
                  ProviderActor.create(
                      node.scheduler(),
                      configuration.queue(),
                      contract,
                      configuration.settings(),
                      new ProviderFigures(node.registry())),
                  "plan-provider",
                  Props.empty());
              return Done.getInstance();
            });
  }
}
