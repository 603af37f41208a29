package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's files for whoever changes them; how they are served, {@code PageTest} sees. */
class PageEndpointTest {
  @TempDir Path folder;

  @Test
  void whoeverChangesThePageSeesEachChangeWithTheNextRequest() throws IOException {
    var page = PageEndpoint.load(Optional.of(folder));
    Files.writeString(folder.resolve("page.js"), "first");
    assertThat(body(page, "/page/page.js")).isEqualTo("first");

    Files.writeString(folder.resolve("page.js"), "second");

    assertThat(body(page, "/page/page.js")).isEqualTo("second");
    assertThat(body(page, "/page/lib/htm.js")).contains("export");
  }

  @Test
  void nothingElseOfTheirDirectoryIsServed() throws IOException {
    Files.writeString(folder.resolve("notes.txt"), "mine");

    var page = PageEndpoint.load(Optional.of(folder));

    assertThat(page.answer(HttpRequest.GET("/page/notes.txt"))).isEmpty();
  }

  private static String body(PageEndpoint page, String path) {
    var entity = page.answer(HttpRequest.GET(path)).orElseThrow().entity();
    return ((HttpEntity.Strict) entity).getData().utf8String();
  }
}
