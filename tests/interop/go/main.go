// A small server on the official Go package: what a careful author would write.
//
// server [-http]: on the standard streams, or by Streamable HTTP on a port that the first line of output names.
// -sessions keeps the sessions that came before 2026-07-28.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type city struct {
	Name       string `json:"name"`
	Population int    `json:"population" jsonschema:"how many live there"`
	River      string `json:"river,omitempty"`
}

type table struct {
	Cities []city `json:"cities"`
}

type citiesArgs struct {
	Limit int `json:"limit" jsonschema:"how many"`
}

type countArgs struct {
	To int `json:"to"`
}

var all = []city{
	{"Lisbon", 545796, "Tagus"},
	{"Madrid", 3223334, ""},
	{"Porto", 231800, "Douro"},
}

func cities(_ context.Context, _ *mcp.CallToolRequest, args citiesArgs) (*mcp.CallToolResult, table, error) {
	if args.Limit < 1 || args.Limit > len(all) {
		return nil, table{}, fmt.Errorf("limit %d is not between 1 and %d", args.Limit, len(all))
	}
	return nil, table{all[:args.Limit]}, nil
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

func count(ctx context.Context, req *mcp.CallToolRequest, args countArgs) (*mcp.CallToolResult, any, error) {
	token := req.Params.GetProgressToken()
	for i := 1; i <= args.To && token != nil; i++ {
		req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(i), Total: float64(args.To), Message: fmt.Sprintf("at %d", i),
		})
	}
	return text("counted to %d", args.To), nil, nil
}

func fails(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
	return nil, nil, errors.New("the map is out of print")
}

func travel(_ context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
	answer, _ := req.Params.InputResponses["nights"].(*mcp.ElicitResult)
	if answer == nil {
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{"nights": &mcp.ElicitParams{
				Message: "How many nights?",
				RequestedSchema: &jsonschema.Schema{
					Type:       "object",
					Properties: map[string]*jsonschema.Schema{"nights": {Type: "integer", Default: []byte("2")}},
					Required:   []string{"nights"},
				},
			}},
			RequestState: "asked\tonce \u00e9 \\u00e9",
		}, nil, nil
	}
	if req.Session.InitializeParams() == nil && req.Params.RequestState != "asked\tonce \u00e9 \\u00e9" {
		return nil, nil, fmt.Errorf("the state came back as %q", req.Params.RequestState)
	}
	if answer.Action != "accept" {
		return text("%s", answer.Action), nil, nil
	}
	return text("%v nights", answer.Content["nights"]), nil, nil
}

func today(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
		{URI: req.Params.URI, MIMEType: "text/plain", Text: "Pack the bags."},
	}}, nil
}

func plan(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	say := "Plan a trip to " + req.Params.Arguments["destination"] + "."
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: say}},
	}}, nil
}

func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
		Total: 2, Values: []string{req.Params.Argument.Value + "rto", req.Params.Argument.Value + "tsdam"},
	}}, nil
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "go", Version: "1.0.0"},
		&mcp.ServerOptions{Instructions: "Ask for cities.", CompletionHandler: complete})
	mcp.AddTool(server, &mcp.Tool{Name: "cities", Title: "Cities", Description: "A table that keeps its promise"}, cities)
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "Counts with progress"}, count)
	mcp.AddTool(server, &mcp.Tool{Name: "fails", Description: "A tool error"}, fails)
	mcp.AddTool(server, &mcp.Tool{Name: "travel", Description: "Asks how long"}, travel)
	server.AddResource(&mcp.Resource{Name: "today", MIMEType: "text/plain", URI: "notes://today"}, today)
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "any", MIMEType: "text/plain", URITemplate: "notes://{day}"}, today)
	server.AddPrompt(&mcp.Prompt{Name: "plan", Title: "Plan a trip",
		Arguments: []*mcp.PromptArgument{{Name: "destination", Required: true}}}, plan)
	return server
}

func main() {
	byHTTP := flag.Bool("http", false, "")
	sessions := flag.Bool("sessions", false, "")
	flag.Parse()
	server := newServer()
	if !*byHTTP {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Print(err)
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: !*sessions})
	log.Fatal(http.Serve(listener, handler))
}
