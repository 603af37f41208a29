package dev.sequitur.scheduler.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.ChainLook;
import dev.sequitur.schedule.chainexecution.ExecutionGas;
import dev.sequitur.schedule.chainexecution.PlanChain;
import dev.sequitur.schedule.chainexecution.ProviderDispatch;
import dev.sequitur.schedule.chainexecution.Providing;
import dev.sequitur.schedule.chainexecution.ServedContract;
import dev.sequitur.schedule.chainexecution.ToDo;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProviderActorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofHours(1);

  /** It knows of the trouble already. */
  private static final ToDo.Known NOTHING =
      new ToDo.Known(
          Service.ACTIVE,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          ProviderActor.NO_CHAIN,
          List.of(),
          List.of());

  private final ActorTestKit kit = ActorTestKit.create();
  private final Logger logger = (Logger) LoggerFactory.getLogger(ProviderActor.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    kit.shutdownTestKit();
  }

  /** It may answer, and refuse what is asked of it: to start it anew would not help. */
  @Test
  void whatTheChainsNodeRefusesIsInTheLog() {
    kit.spawn(
        ProviderActor.create(
            knowingNothing(),
            QueueName.DEFAULT,
            new Refusing(),
            new Providing.Settings(
                0,
                new GasPrice(100, 1),
                1,
                3,
                3,
                ExecutionGas.DEFAULT,
                LONG,
                new Backoff(LONG, LONG)),
            new ProviderFigures(new PrometheusRegistry())));

    await().atMost(PATIENCE).until(() -> !lines.list.isEmpty());

    var line = lines.list.getFirst();
    assertThat(line.getFormattedMessage()).contains("The chain does not answer as it should");
    assertThat(causes(line.getThrowableProxy())).contains("It gives no logs so old.");
  }

  private static String causes(IThrowableProxy thrown) {
    return thrown == null ? "" : thrown.getMessage() + " / " + causes(thrown.getCause());
  }

  private static SchedulerNode knowingNothing() {
    return (SchedulerNode)
        Proxy.newProxyInstance(
            SchedulerNode.class.getClassLoader(),
            new Class<?>[] {SchedulerNode.class},
            (proxy, method, arguments) ->
                method.getName().equals("ask")
                    ? CompletableFuture.completedFuture(NOTHING)
                    : CompletableFuture.failedFuture(
                        new IllegalStateException("The queue stores nothing.")));
  }

  private static final class Refusing implements PlanChain {
    @Override
    public ServedContract contract() {
      return new ServedContract(1, EvmAddress.ZERO);
    }

    @Override
    public CompletionStage<ChainLook> look(ChainLook.Look look) {
      return CompletableFuture.failedFuture(new IllegalStateException("It gives no logs so old."));
    }

    @Override
    public Hash hash(long nonce, ScheduleId execution, long gasLimit, Fees fees) {
      throw new IllegalStateException("Nothing is sent.");
    }

    @Override
    public CompletionStage<List<Sent>> send(List<ProviderDispatch> dispatches) {
      throw new IllegalStateException("Nothing is sent.");
    }
  }
}
