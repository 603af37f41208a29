package dev.sequitur.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What callers and entities call a queue and its partitions (SCH-28). */
class QueueNameTest {
  private static final QueueName ORDERS = new QueueName("orders");

  @Test
  void theFirstPartitionIsShownByItsNumberThoughItLivesUnderTheNameOfTheQueue() {
    assertThat(ORDERS.entity(0)).isEqualTo(ORDERS);
    assertThat(ORDERS.entity(0).shown(3)).isEqualTo("orders/0");
    assertThat(ORDERS.entity(2).shown(3)).isEqualTo("orders/2");
    assertThat(ORDERS.shown(1)).isEqualTo("orders");
  }
}
