package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailureLogTest {
  private static final AccountId ALICE = new AccountId("alice");

  private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLogTest.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final FailureLog log = new FailureLog(logger);

  @Test
  void aCommandThatFailsAgainAndAgainIsOneLineForEachKindOfFailure() {
    lines.start();
    logger.addAppender(lines);
    try {
      for (int i = 0; i < 100; i++) {
        var fund = new Operation.Fund(ALICE, new Amount(i + 1));
        log.command(new Command("fund " + i, ALICE, fund), new IllegalStateException("no " + i));
      }
      log.command(
          new Command("fund", ALICE, new Operation.Fund(ALICE, new Amount(1))),
          new ArithmeticException("another"));
    } finally {
      logger.detachAppender(lines);
    }

    assertThat(lines.list).hasSize(2);
    assertThat(lines.list.get(1).getFormattedMessage()).contains("99 more");
  }
}
