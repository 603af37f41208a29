package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogMethodsTest {
  private static final String TRANSACTIONS = "dev.sequitur.transaction";

  private final RunningRpc rpc = RunningRpc.withDefaults();

  @AfterEach
  void stop() {
    rpc.call("log_setLevel", "[\"" + TRANSACTIONS + "\",\"DEFAULT\"]");
    rpc.close();
  }

  private JsonNode set(String logger, String level) {
    return rpc.call("log_setLevel", "[\"" + logger + "\",\"" + level + "\"]");
  }

  @Test
  void aLevelIsSetWhileTheNodeRunsAndTakenBack() {
    var log = LoggerFactory.getLogger(TRANSACTIONS);
    boolean before = log.isDebugEnabled();

    assertThat(set(TRANSACTIONS, "debug").at("/result/level").asText()).isEqualTo("DEBUG");
    assertThat(log.isDebugEnabled()).isTrue();
    assertThat(log.isTraceEnabled()).isFalse();
    assertThat(rpc.call("log_levels", "[]").get("result").toString()).contains(TRANSACTIONS);

    set(TRANSACTIONS, "DEFAULT");
    assertThat(log.isDebugEnabled()).isEqualTo(before);
    assertThat(rpc.call("log_levels", "[]").get("result").toString()).doesNotContain(TRANSACTIONS);
  }

  @Test
  void aLoggerThatIsNotThereIsNotMadeAndAWrongLevelIsToldWithThoseThatAreRight() {
    assertThat(set(TRANSACTIONS + "s", "DEBUG").at("/error/message").asText())
        .contains("Did you mean " + TRANSACTIONS + "?");
    assertThat(set(TRANSACTIONS, "LOUD").at("/error/message").asText())
        .contains("level is OFF, ERROR, WARN, INFO, DEBUG, TRACE or DEFAULT.");
  }

  @Test
  void linesOfLibrariesThatMayHoldWhatIsPrivateAreNotTurnedOn() {
    assertThat(set("ROOT", "DEBUG").at("/error/message").asText())
        .contains("Below INFO only lines of dev.sequitur");
  }
}
