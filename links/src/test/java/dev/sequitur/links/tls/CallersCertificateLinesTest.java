package dev.sequitur.links.tls;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log says whose certificate ends, also of one that is shown to others. */
class CallersCertificateLinesTest {
  @TempDir Path directory;

  @Test
  void ofWhatACallerShowsTheLogNamesTheFile() throws IOException {
    var self = new NodeName("node1");
    var now = Instant.now();
    Certificates.writeNetwork(
        directory,
        List.of(self),
        new Certificates.Validity(now.minusSeconds(60), now.plus(Duration.ofDays(7))));
    var files = Certificates.files(directory, self);
    var log = (Logger) LoggerFactory.getLogger(IdentityFiles.class);
    var told = new ListAppender<ILoggingEvent>();
    told.start();
    log.addAppender(told);
    try {
      FileContexts.calling(
          files.trust(),
          Optional.of(
              new ServerFiles(
                  files.certificate(), files.privateKey(), Optional.of(files.trust()))));
    } finally {
      log.detachAppender(told);
    }

    assertThat(told.list)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.getFormattedMessage())
                    .contains(files.certificate().toString(), "expires on")
                    .doesNotContain("JSON-RPC"));
  }
}
