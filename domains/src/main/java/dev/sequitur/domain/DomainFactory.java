package dev.sequitur.domain;

import dev.sequitur.protocol.port.Domain;

/** What a jar that adds a domain provides as a service, see {@link Domains}. */
public interface DomainFactory {
  /** Called once per process and set of domains. */
  Domain create();
}
