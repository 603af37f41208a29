package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of Akka's own lines a process writes into its log. */
class LogLevelsOfAStartTest {
  private static final String OURS = "/dev/sequitur/node/logback-file.xml";

  @TempDir private Path directory;

  /** Of a cluster that nobody else can join nobody needs to read. */
  @ParameterizedTest
  @CsvSource({
    "akka.cluster.Cluster",
    "akka.cluster.sbr.SplitBrainResolver",
    "akka.remote.RemoteActorRefProvider$RemotingTerminator"
  })
  void aNodeOfOneJvmSaysNothingOfItsCluster(String logger) throws Exception {
    assertThat(level(logger, "")).isEqualTo(Level.WARN);
    assertThat(level(logger, "INFO")).as("one of several JVMs").isEqualTo(Level.INFO);
  }

  @Test
  void whatEachStartSaysOfEachKindOfEntityIsLeftOut() throws Exception {
    assertThat(level("akka.cluster.sharding.DDataShardCoordinator", "INFO")).isEqualTo(Level.WARN);
    assertThat(level("dev.sequitur.node", "")).isEqualTo(Level.INFO);
  }

  private Level level(String logger, String cluster) throws Exception {
    var context = new LoggerContext();
    context.putProperty("sequitur.log.directory", directory.toString());
    if (!cluster.isEmpty()) {
      context.putProperty("sequitur.log.cluster", cluster);
    }
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogFile.class.getResource(OURS));
    try {
      return context.getLogger(logger).getEffectiveLevel();
    } finally {
      context.stop();
    }
  }
}
