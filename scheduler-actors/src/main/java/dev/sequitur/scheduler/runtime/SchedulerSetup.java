package dev.sequitur.scheduler.runtime;

import dev.sequitur.persistence.store.QueueStores;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.port.ScheduledCalls;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.SchedulerSettings;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;

/**
 * What a node's scheduler is made of.
 *
 * @param queues the same for all of the node's queues
 * @param stores the same in all JVMs of the node
 * @param registry where the queues count and measure
 */
public record SchedulerSetup(
    NodeName self,
    QueueSetup queues,
    SchedulerSettings settings,
    ScheduledCalls calls,
    QueueStores stores,
    PrometheusRegistry registry,
    InstantSource clock) {}
