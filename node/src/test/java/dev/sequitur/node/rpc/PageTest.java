package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the files of the node's page are served; what it shows, {@link PageInBrowserTest} sees. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageTest {
  private static final Path FILES = Path.of("src/main/resources/dev/sequitur/node/page");
  private static final Pattern IMPORTED = Pattern.compile("from '\\./([\\w./-]+)'");
  private static final Pattern NAMED = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transport_nodeName\",\"params\":[]}";

  private final RunningRpc rpc = new RunningRpc(RpcSettings.loopback(0).withLoopbackPages(false));

  @AfterAll
  void stop() {
    rpc.close();
  }

  private HttpResponse<String> get(String path, String... headers) {
    var request = HttpRequest.newBuilder(rpc.uri(path)).GET();
    return rpc.send(headers.length == 0 ? request : request.headers(headers));
  }

  @ParameterizedTest
  @CsvSource({
    "/page/,text/html; charset=UTF-8",
    "/page/index.html,text/html; charset=UTF-8",
    "/page/page.js,text/javascript; charset=UTF-8",
    "/page/page.css,text/css; charset=UTF-8",
    "/page/icon.svg,image/svg+xml",
    "/page/lib/htm.js,text/javascript; charset=UTF-8",
    "/page/lib/uplot.js,text/javascript; charset=UTF-8",
    "/page/lib/uplot.css,text/css; charset=UTF-8"
  })
  void eachFileHasItsTypeAndLetsABrowserAskNoOtherHost(String path, String type) {
    var file = get(path);

    assertThat(file.statusCode()).isEqualTo(200);
    var headers = file.headers();
    assertThat(headers.firstValue("Content-Type")).contains(type);
    assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("default-src 'self';")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe", "http", "*", "data:");
  }

  @Test
  void eachFileThatThePageIsMadeOfIsServedAndNamesOnlyThoseThatAre() throws IOException {
    try (var files = Files.list(FILES)) {
      for (var file : files.toList()) {
        var name = file.getFileName().toString();
        var served = get("/page/" + name);
        assertThat(served.statusCode()).as(name).isEqualTo(200);
        assertThat(served.body()).isEqualTo(Files.readString(file));
        var names = name.endsWith(".html") ? NAMED : IMPORTED;
        names
            .matcher(served.body())
            .results()
            .map(named -> named.group(1))
            .forEach(
                named -> assertThat(get("/page/" + named).statusCode()).as(named).isEqualTo(200));
      }
    }
  }

  @Test
  void noScriptAndNoStyleStandsInTheTextWhereABrowserWouldRefuseIt() {
    assertThat(get("/page/").body())
        .doesNotContainPattern("<script(?![^>]* src=)")
        .doesNotContain("<style", "style=", "onclick");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/page/../node-reference.conf",
        "/page/%2e%2e/configuration/node-reference.conf",
        "/page/..%2fconfiguration%2fnode-reference.conf",
        "/page//etc/passwd",
        "/page/lib/../../reference.conf",
        "/page/lib/",
        "/page/page.js/",
        "/page/PAGE.JS",
        "/page/nothing.js"
      })
  void nothingElseIsServedWhateverThePathSays(String path) {
    var answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.body()).contains("SQ010006");
  }

  @Test
  void aFileThatABrowserHasIsNotSentAgain() {
    var tag = get("/page/page.js").headers().firstValue("ETag").orElseThrow();

    var again = get("/page/page.js", "If-None-Match", tag);

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("Cache-Control")).contains("no-cache");
    assertThat(get("/page/page.js", "If-None-Match", "\"another\"").statusCode()).isEqualTo(200);
    assertThat(get("/page/page.css").headers().firstValue("ETag").orElseThrow()).isNotEqualTo(tag);
  }

  @Test
  void aBrowserThatAsksForTheRootIsSentToThePageAndAProgramHearsOfJsonRpc() {
    var browser = get("/", "Accept", "text/html,application/xhtml+xml");
    assertThat(browser.statusCode()).isEqualTo(302);
    // Relative: behind a proxy that puts a prefix before the node's paths it stays below the
    // prefix.
    assertThat(browser.headers().firstValue("Location")).contains("page/");
    assertThat(get("/page").headers().firstValue("Location")).contains("page/");
    assertThat(get("/", "Accept", "application/json").statusCode()).isEqualTo(405);
  }

  @Test
  void nothingOfItIsServedIfItIsSwitchedOff() {
    try (var without = new RunningRpc(RpcSettings.loopback(0).withPage(false))) {
      for (var path : new String[] {"/page/", "/page", "/page/page.js", "/page/lib/htm.js", "/"}) {
        var answer =
            without.send(
                HttpRequest.newBuilder(without.uri(path)).header("Accept", "text/html").GET());
        assertThat(answer.statusCode()).as(path).isEqualTo(405);
      }
    }
  }

  @Test
  void thePageMayCallItsNodeThoughNoPageOfLoopbackMay() {
    assertThat(post(rpc.uri("/").resolve("/").toString().replaceAll("/$", ""))).isEqualTo(200);
    assertThat(post("http://127.0.0.1:1")).isEqualTo(403);
    assertThat(post("http://localhost:" + rpc.uri("/").getPort())).isEqualTo(403);
    try (var without =
        new RunningRpc(RpcSettings.loopback(0).withLoopbackPages(false).withPage(false))) {
      var origin = "http://127.0.0.1:" + without.uri("/").getPort();
      assertThat(post(without, origin)).isEqualTo(403);
    }
  }

  private int post(String origin) {
    return post(rpc, origin);
  }

  private static int post(RunningRpc rpc, String origin) {
    return rpc.send(
            HttpRequest.newBuilder(rpc.uri("/"))
                .header("Origin", origin)
                .POST(BodyPublishers.ofString(CALL)))
        .statusCode();
  }
}
